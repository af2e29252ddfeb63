import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { openApi } from "@/lib/server/api/open-api";

export const GET = apiRoute(() => Promise.resolve(answer(openApi())));
