import { afterAll, beforeAll, expect, test } from "vitest";
import { ACTIONS } from "@/lib/core/change/actions";
import { methodsOf, routePaths } from "./call-route";
import { openDoors, type DoorSite } from "./door-site";

type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<string, { readonly description: string }>;
  readonly security?: readonly unknown[];
};
type Described = { readonly openapi: string; readonly paths: Record<string, Record<string, Operation>>; readonly components: object };

let site: DoorSite;
let described: Described;
beforeAll(async () => {
  site = await openDoors();
  described = (await site.ask("RB", "GET", "/openapi.json")).body as unknown as Described;
}, 120_000);
afterAll(() => site.close());

test("it is OpenAPI 3.1, and every $ref in it resolves within it", () => {
  expect(described.openapi).toMatch(/^3\.1\.\d+$/);
  const refs = [...JSON.stringify(described).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? "");
  expect(refs.length).toBeGreaterThan(10);
  const resolved = (ref: string): unknown =>
    ref
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>(
        (at, part) => (at as Record<string, unknown> | undefined)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")],
        described,
      );
  for (const ref of new Set(refs)) expect(resolved(ref), ref).toBeDefined();
});

test("every route of the file tree is described with exactly its methods, and nothing else is", async () => {
  const tree = Object.fromEntries(
    await Promise.all(routePaths().map(async (path) => [path, [...(await methodsOf(path))].sort()] as const)),
  );
  const told = Object.fromEntries(
    Object.entries(described.paths).map(([path, item]) => [
      path,
      Object.keys(item)
        .map((one) => one.toUpperCase())
        .sort(),
    ]),
  );
  expect(told).toEqual(tree);
});

test("every name in an address is a required parameter; every POST says what its body is; every operation has answers", () => {
  for (const [path, item] of Object.entries(described.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const where = `${method} ${path}`;
      const inPath = (operation.parameters ?? []).filter((one) => one.in === "path");
      expect(inPath.map(({ name }) => name).sort(), where).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
      expect(
        inPath.every(({ required }) => required),
        where,
      ).toBe(true);
      expect(operation.requestBody !== undefined, where).toBe(method === "post");
      expect(
        Object.values(operation.responses).every(({ description }) => description !== ""),
        where,
      ).toBe(true);
    }
  }
});

test("every query parameter that is described is taken, and none that is not", async () => {
  for (const [path, item] of Object.entries(described.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (path === "/health") continue;
      const asked = path.replace("{id}", "CH-1").replace("{action}", "pause").replace("{sha}", "0");
      for (const { name } of (operation.parameters ?? []).filter((one) => one.in === "query")) {
        const told = await site.ask("JS", method.toUpperCase(), `${asked}?${name}=true`, method === "post" ? { body: "x" } : {});
        expect(told.text, `${asked}?${name}`).not.toContain("is not known here");
      }
      const told = await site.ask("JS", method.toUpperCase(), `${asked}?surprise=1`, method === "post" ? { body: "x" } : {});
      expect([told.status, told.body["places"]], asked).toMatchObject([400, [expect.stringMatching(/^\?surprise: is not known here/)]]);
    }
  }
}, 120_000);

test("it names every action, and answers have the fields it promises", async () => {
  const text = JSON.stringify(described.components);
  for (const action of ACTIONS.filter((one) => one !== "stop-all" && one !== "lift-stop")) expect(text).toContain(`"${action}"`);
  const schemas = (described.components as { schemas: Record<string, { required?: string[]; properties?: object }> }).schemas;
  const change = await site.ask("RB", "GET", "/changes/CH-1");
  expect(Object.keys(change.body)).toEqual(expect.arrayContaining(schemas["Change"]?.required ?? ["the schema names no fields"]));
  expect(Object.keys(schemas["Change"]?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(change.body)));
  const refused = await site.ask("RB", "POST", "/changes", { body: "x" });
  expect(Object.keys(schemas["Problem"]?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(refused.body)));
}, 120_000);
