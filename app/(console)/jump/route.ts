import { findJumps } from "@/lib/server/find-jumps";
import { currentPerson } from "@/lib/server/session";
import { wired } from "@/lib/server/wired";

const LONGEST = 100;

/** What the command palette offers for the letters typed so far. */
export async function GET(request: Request): Promise<Response> {
  if ((await currentPerson()) === null) return new Response("Nobody is signed in.", { status: 401 });
  const wanted = (new URL(request.url).searchParams.get("wanted") ?? "").trim().slice(0, LONGEST);
  const jumps = await findJumps((await wired()).deps, wanted.replaceAll("\0", ""));
  return Response.json({ jumps }, { headers: { "cache-control": "no-store" } });
}
