import { Initials } from "@/components/ui/initials";

type Person = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly disabled: boolean;
};

/** Who may do what; roles come with the sign-in and are read again at every step. */
export function PeopleTable({ people }: { people: readonly Person[] }) {
  return (
    <div className="tw" tabIndex={0} role="region" aria-label="People">
      <table>
        <thead>
          <tr>
            <th>Person</th>
            <th>Email</th>
            <th>Roles</th>
            <th>Sign-in</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <Initials name={person.name} /> {person.name}
              </th>
              <td>{person.email}</td>
              <td>{person.roles.map((role) => role.replaceAll("_", " ")).join(", ")}</td>
              <td>{person.disabled ? "disabled" : "open"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
