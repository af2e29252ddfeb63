import { loadEvidence } from "@/lib/server/load-evidence";

/** The bytes, for whoever is signed in. Always a download, whatever they claim to be. */
export async function GET(_request: Request, { params }: { params: Promise<{ sha: string }> }): Promise<Response> {
  const { sha } = await params;
  const { bytes } = await loadEvidence(sha);
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="${sha}.txt"`,
    "cache-control": "private, no-store",
  };
  return new Response(Buffer.from(bytes), { headers });
}
