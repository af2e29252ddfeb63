import type { ChangeView } from "@/lib/core/change/view/change-view";
import type { Answer, Api } from "@/lib/demo/crew";

/** The product's API over HTTP as one person, by token. */
export function apiClient(baseUrl: string, token: string): Api {
  const call = async (method: "GET" | "POST", path: string, body?: string | object): Promise<Answer> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(typeof body === "object" ? { "content-type": "application/json" } : {}) },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };
  const get = (path: string) => call("GET", path);
  const post = (path: string, body: string | object) => call("POST", path, body);
  return {
    get,
    post,
    change: async (id) => {
      const shown = await get(`/changes/${id}`);
      if (shown.status !== 200) throw new Error(`GET /changes/${id}: ${shown.status} ${JSON.stringify(shown.body)}`);
      return shown.body as unknown as ChangeView;
    },
    act: async (id, action, input = {}) => {
      const acted = await post(`/changes/${id}/actions/${action}`, input);
      if (acted.status !== 200) throw new Error(`${action} ${JSON.stringify(input)}: ${acted.status} ${JSON.stringify(acted.body)}`);
    },
  };
}
