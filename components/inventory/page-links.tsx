import { addressOf, PAGE_ROWS, type InventoryQuery } from "@/lib/client/inventory-query";

type Props = { query: InventoryQuery; found: number; page: number; pages: number };

/** Which rows of how many stand above, and the way to the others. */
export function PageLinks({ query, found, page, pages }: Props) {
  const from = found === 0 ? 0 : (page - 1) * PAGE_ROWS + 1;
  return (
    <nav className="pages" aria-label="Pages">
      <span className="soft">
        {from} to {Math.min(found, page * PAGE_ROWS)} of {found} nodes
      </span>
      {page > 1 && (
        <a className="btn small" href={addressOf(query, { page: page - 1 })} rel="prev">
          Page {page - 1}
        </a>
      )}
      {page < pages && (
        <a className="btn small" href={addressOf(query, { page: page + 1 })} rel="next">
          Page {page + 1}
        </a>
      )}
    </nav>
  );
}
