import { createHmac } from "node:crypto";
import ssh2 from "ssh2";
import { describe, expect, it } from "vitest";

import { fingerprintOf, judgeHostKey, knownKeyTypes, readKnownHosts } from "./known-hosts";

function makeKey(): { line: string; raw: Buffer } {
  const line = ssh2.utils.generateKeyPairSync("ed25519").public.split(" ").slice(0, 2).join(" ");
  return { line, raw: Buffer.from(line.split(" ")[1] ?? "", "base64") };
}
const key = makeKey();
const other = makeKey();

function hashed(name: string): string {
  const salt = Buffer.from("0123456789abcdef0123");
  return `|1|${salt.toString("base64")}|${createHmac("sha1", salt).update(name).digest("base64")}`;
}

describe("known hosts", () => {
  it.each([
    ["a plain name", `gpu001 ${key.line} comment`, "gpu001", 22, "known"],
    ["case does not matter", `GPU001 ${key.line}`, "gpu001", 22, "known"],
    ["a list of names", `a,gpu001,b ${key.line}`, "gpu001", 22, "known"],
    ["a pattern", `gpu* ${key.line}`, "gpu001", 22, "known"],
    ["an exception", `gpu*,!gpu001 ${key.line}`, "gpu001", 22, "unknown"],
    ["a dot is a dot", `gpu.001 ${key.line}`, "gpux001", 22, "unknown"],
    ["another port has its own entry", `[127.0.0.1]:2201 ${key.line}`, "127.0.0.1", 2201, "known"],
    ["port 22's entry is not another port's", `127.0.0.1 ${key.line}`, "127.0.0.1", 2201, "unknown"],
    ["a hashed name", `${hashed("gpu001")} ${key.line}`, "gpu001", 22, "known"],
    ["a hashed name with port", `${hashed("[gpu001]:2201")} ${key.line}`, "gpu001", 2201, "known"],
    ["another hashed name", `${hashed("gpu002")} ${key.line}`, "gpu001", 22, "unknown"],
    ["another key", `gpu001 ${other.line}`, "gpu001", 22, "changed"],
    ["one of two keys", `gpu001 ${other.line}\ngpu001 ${key.line}`, "gpu001", 22, "known"],
    ["a revoked key", `gpu001 ${key.line}\n@revoked * ${key.line}`, "gpu001", 22, "revoked"],
    ["an authority is not a key", `@cert-authority * ${key.line}`, "gpu001", 22, "unknown"],
    ["comments, blank and broken lines", `# gpu001 ${key.line}\n\ngpu001 ssh-ed25519`, "gpu001", 22, "unknown"],
    ["an empty file", "", "gpu001", 22, "unknown"],
  ])("%s", (_title, text, host, port, wanted) => {
    expect(judgeHostKey(readKnownHosts(text), host, port, key.raw).is).toBe(wanted);
  });

  it("an unknown key is named by its fingerprint, with what to do", () => {
    const ruling = judgeHostKey([], "gpu001", 2201, key.raw);
    expect(ruling).toMatchObject({ is: "unknown", because: expect.stringContaining(fingerprintOf(key.raw)) as string });
    expect(ruling).toMatchObject({ because: expect.stringContaining("[gpu001]:2201") as string });
  });

  it("R9.8: a changed key names both fingerprints", () => {
    const ruling = judgeHostKey(readKnownHosts(`gpu001 ${other.line}`), "gpu001", 22, key.raw);
    if (ruling.is !== "changed") throw new Error(ruling.is);
    expect(ruling.because).toContain(fingerprintOf(key.raw));
    expect(ruling.because).toContain(fingerprintOf(other.raw));
  });

  it("asks a server only for recorded key types", () => {
    expect(knownKeyTypes(readKnownHosts(`gpu001 ${key.line}\ngpu001 ssh-rsa AAAA`), "gpu001", 22)).toEqual(["ssh-ed25519", "ssh-rsa"]);
    expect(knownKeyTypes(readKnownHosts(`gpu001 ${key.line}`), "gpu002", 22)).toEqual([]);
  });

  it("a pattern of many stars cannot make it slow", () => {
    const started = performance.now();
    judgeHostKey(readKnownHosts(`${"*a".repeat(12)}${"*".repeat(500)}b ${key.line}`), "a".repeat(40), 22, key.raw);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
