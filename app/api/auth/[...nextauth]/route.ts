import NextAuth from "next-auth";

import { authOptions } from "@/lib/server/auth";

type Context = { params: Promise<{ nextauth: string[] }> };

async function handle(request: Request, context: Context): Promise<Response> {
  const answer = NextAuth(await authOptions()) as (request: Request, context: Context) => Promise<Response>;
  return answer(request, context);
}

export { handle as GET, handle as POST };
