// Serves our Worker over a D1 database and an R2 bucket in workerd, until the process that asked for it is gone.
//
//   node serve.mjs <folder of node_modules> <the Worker, in this folder> <folder for the data, or nothing> <token> DB BUCKET
//
// The first line of its answer is the address. Each line that follows is an order, answered by one line:
//   {"empty": true}  {"keys": true}  {"alter": "<key>"}  {"sql": "..."}

import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";

const [modules, worker, folder, token, ...bound] = process.argv.slice(2);
const { Miniflare } = createRequire(path.join(modules, "package.json"))("miniflare");
const miniflare = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  modules: true,
  scriptPath: worker,
  compatibilityDate: "2026-04-01",
  d1Databases: bound.includes("DB") ? { DB: "db" } : {},
  r2Buckets: bound.includes("BUCKET") ? { BUCKET: "blobs" } : {},
  bindings: { CONTEXTFUL_D1_TOKEN: token },
  cf: false,
  telemetry: { enabled: false },
  ...(folder && { d1Persist: path.join(folder, "d1"), r2Persist: path.join(folder, "r2") }),
});
const tell = (content) => process.stdout.write(`${JSON.stringify(content)}\n`);

const orders = {
  async empty(database, bucket) {
    const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
    const { results } = await database.prepare(tables).all();
    if (results.length) await database.batch(results.map(({ name }) => database.prepare(`DROP TABLE ${name}`)));
    const { objects } = await bucket.list();
    if (objects.length) await bucket.delete(objects.map(({ key }) => key));
  },
  async keys(_, bucket) {
    return (await bucket.list()).objects.map(({ key }) => key);
  },
  async alter(_, bucket, key) {
    await bucket.put(key, "something else");
  },
  async sql(database, _, sql) {
    return (await database.prepare(sql).raw()) ?? [];
  },
};

tell((await miniflare.ready).origin);
for await (const line of createInterface({ input: process.stdin })) {
  const [[order, given]] = Object.entries(JSON.parse(line));
  try {
    const [database, bucket] = await Promise.all([miniflare.getD1Database("DB"), miniflare.getR2Bucket("BUCKET")]);
    tell({ done: (await orders[order](database, bucket, given)) ?? null });
  } catch (error) {
    tell({ failed: error.message });
  }
}
await miniflare.dispose();
process.exit(0);
