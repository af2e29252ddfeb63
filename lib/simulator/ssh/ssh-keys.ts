/** Keys of the simulated site: made once and kept, so that hosts have the same keys after a restart. */
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import ssh2 from "ssh2";

type KeyPair = { readonly private: string; readonly public: string };

export type SshKeys = {
  readonly client: KeyPair;
  /** `changed` is the key that a host shows while its key is said to have changed. */
  hostKey: (host: string, changed: boolean) => KeyPair;
  save: () => void;
};

export function openSshKeys(stateDir: string): SshKeys {
  const file = join(stateDir, "ssh-keys.json");
  const kept: Record<string, KeyPair> = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, KeyPair>) : {}; // ours
  let dirty = false;
  const pair = (name: string): KeyPair => {
    let key = kept[name];
    if (key === undefined) {
      key = makePair(name);
      kept[name] = key;
      dirty = true;
    }
    return key;
  };
  const client = pair("client");
  const save = (): void => {
    if (!dirty) return;
    writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    writeFileSync(join(stateDir, "id_ed25519"), client.private, { mode: 0o600 });
    chmodSync(join(stateDir, "id_ed25519"), 0o600);
    writeFileSync(join(stateDir, "id_ed25519.pub"), `${client.public} clearance\n`);
    dirty = false;
  };
  return { client, hostKey: (host, changed) => pair(changed ? `${host} changed` : host), save };
}

/** About one generated key in some hundred cannot be read back by ssh2 itself, so each is tried. */
function makePair(comment: string): KeyPair {
  for (let attempt = 0; attempt < 20; attempt++) {
    const made = ssh2.utils.generateKeyPairSync("ed25519", { comment });
    if (ssh2.utils.parseKey(made.private) instanceof Error || ssh2.utils.parseKey(made.public) instanceof Error) continue;
    return { private: made.private, public: made.public.split(" ").slice(0, 2).join(" ") };
  }
  throw new Error("no usable ed25519 key came out of twenty attempts");
}
