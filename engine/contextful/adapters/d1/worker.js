// What stands between contextful and Cloudflare: statements for D1 and bytes for R2, and no word of what they mean.
//
//   GET    /health          -> {"protocol": 1, "missing": []}, the bindings that it lacks
//   POST   /read            a statement -> {"rows": [[...], ...]}
//   POST   /batch           [a statement, ...] -> {"changed": [1, ...]}, all of them; or {"refused": true}, none
//   PUT    /blobs/<sha256>  bytes, kept where none are yet
//   GET    /blobs/<sha256>  -> the bytes; 204 where there are none
//   DELETE /blobs/<sha256>  a statement: the bytes go if it finds a row -> {"found": true}
//   GET    /object?key=     -> the bytes, their version in ETag; 204 where there are none
//   PUT    /object?key=     bytes, under If-Match or If-None-Match -> {"version": "..."}, null where that is not so
//   DELETE /object?key=     the bytes go
//   GET    /keys?prefix=&after=&limit=  -> {"keys": [...], "more": false}, in order
//
// A statement is {"sql": "...", "parameters": [...]}, a parameter null, a text or {"base64": "..."}. Numbers go as text
// both ways, for JavaScript's have 53 bits. A fault that leaves open what was done is a 503, any other a 422.

const PROTOCOL = 1;
const REFUSED = "as_expected"; // the constraint that a batch fails where a row is not as its commit expects
const UNDONE = /SQLITE_|D1_TYPE_ERROR|checksum/; // what the stores say of what they have undone

export default {
  async fetch(request, env) {
    if (!(await admitted(request, env))) return answer({ error: "the token is not this Worker's" }, 401);
    const { pathname, searchParams: asked } = new URL(request.url);
    const [, sha256] = pathname.match(/^\/blobs\/([0-9a-f]{64})$/) ?? [];
    try {
      switch (`${request.method} ${sha256 ? "/blobs" : pathname}`) {
        case "GET /health":
          return await health(env);
        case "POST /read":
          return answer({ rows: (await prepared(env, await request.json()).raw()).map((row) => row.map(told)) });
        case "POST /batch":
          return await batch(env, await request.json());
        case "PUT /blobs":
          return await put(env, sha256, request.body ?? "");
        case "GET /blobs":
          return await get(env, sha256);
        case "DELETE /blobs":
          return await remove(env, sha256, await request.json());
        case "GET /object":
          return await read(env, asked.get("key"));
        case "PUT /object":
          return await write(env, asked.get("key"), request);
        case "DELETE /object":
          await env.BUCKET.delete(asked.get("key"));
          return answer({});
        case "GET /keys":
          return await keys(env, asked.get("prefix"), asked.get("after"), Number(asked.get("limit")));
        default:
          return answer({ error: `there is no ${request.method} ${pathname}` }, 404);
      }
    } catch (error) {
      return answer({ error: error.message }, UNDONE.test(error.message) ? 422 : 503);
    }
  },
};

async function admitted(request, env) {
  if (!env.CONTEXTFUL_D1_TOKEN) return false; // a Worker without its secret admits nobody
  const given = request.headers.get("authorization") ?? "";
  const digest = (text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const pair = await Promise.all([given, `Bearer ${env.CONTEXTFUL_D1_TOKEN}`].map(digest));
  return crypto.subtle.timingSafeEqual(...pair);
}

async function health(env) {
  const missing = ["DB", "BUCKET"].filter((name) => !env[name]);
  if (env.DB) await env.DB.prepare("SELECT 1").raw();
  return answer({ protocol: PROTOCOL, missing });
}

async function batch(env, statements) {
  try {
    const done = await env.DB.batch(statements.map((statement) => prepared(env, statement)));
    return answer({ changed: done.map((each) => each.meta.changes) });
  } catch (error) {
    if (error.message.includes(REFUSED)) return answer({ refused: true });
    throw error;
  }
}

async function put(env, sha256, body) {
  const onlyIf = new Headers({ "if-none-match": "*" });
  const made = await env.BUCKET.put(`blobs/${sha256}`, body, { sha256, onlyIf });
  return answer({ made: made !== null });
}

async function get(env, sha256) {
  const found = await env.BUCKET.get(`blobs/${sha256}`);
  return found ? new Response(found.body) : new Response(null, { status: 204 });
}

// Whoever has lost the right to delete may still ask: the row that gives it is looked for here, just before.
async function remove(env, sha256, right) {
  const found = (await prepared(env, right).raw()).length > 0;
  if (found) await env.BUCKET.delete(`blobs/${sha256}`);
  return answer({ found });
}

async function read(env, key) {
  const found = await env.BUCKET.get(key);
  return found ? new Response(found.body, { headers: { etag: found.httpEtag } }) : new Response(null, { status: 204 });
}

async function write(env, key, request) {
  const made = await env.BUCKET.put(key, request.body ?? "", { onlyIf: request.headers });
  return answer({ version: made && made.httpEtag });
}

async function keys(env, prefix, startAfter, limit) {
  const { objects, truncated } = await env.BUCKET.list({ prefix, startAfter, limit });
  return answer({ keys: objects.map(({ key }) => key), more: truncated });
}

function prepared(env, { sql, parameters }) {
  return env.DB.prepare(sql).bind(...parameters.map((given) => (given?.base64 === undefined ? given : bytes(given))));
}

function bytes({ base64 }) {
  return Uint8Array.fromBase64(base64).buffer;
}

function told(value) {
  return Array.isArray(value) ? Uint8Array.from(value).toBase64() : value;
}

function answer(content, status = 200) {
  return Response.json(content, { status });
}
