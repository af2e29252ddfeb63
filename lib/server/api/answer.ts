/** A JSON answer that no cache keeps: what was true a second ago is not what is true. */
export const answer = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", "cache-control": "no-store" } });
