import { CALLS } from "../protocol/calls/all.ts";
import type { CallSpec } from "../protocol/calls/call.ts";
import { createOpenApi } from "./openapi.ts";

/** The parts of a schema that the reference shows. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly { readonly token?: readonly string[] }[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const INTRODUCTION = `# API reference

<!-- Generated from the table of calls by \`npm run docs\`. -->

The daemon serves this API on its Unix socket and on \`http://localhost:<port>\` (\`ao status\` prints the port). Over HTTP send a token:

\`\`\`bash
curl -H "Authorization: Bearer $(ao token)" http://localhost:3000/api/sessions
\`\`\`

- \`GET /api/openapi.json\` is the same as an OpenAPI 3.1 document, to generate clients from; \`ao api METHOD PATH\` makes a call without a token.
- A token has a scope: \`read\`, \`operate\` (includes read) or \`admin\` (includes both). A session's own token only makes the calls marked *own*, about itself.
- Bodies are JSON; unknown fields and parameters are refused with the name of the field.
- Errors are problem details (RFC 9457): \`code\` for programs, \`detail\` and \`hint\` for people.
- A write with an \`Idempotency-Key\` header is done once, however often it is sent.
`;

/** docs/reference/api.md: every call, and every view that calls accept or return. */
export function renderApiReference(): string {
  const own = new Set(Object.entries<CallSpec>(CALLS).flatMap(([call, spec]) => (spec.own === true ? [call] : [])));
  const document = createOpenApi() as unknown as Document;
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      return { name, operation };
    }),
  );
  const sections = document.tags.map(({ name, description }) => {
    const rows = calls.filter(({ operation }) => operation.tags.includes(name));
    const table = rows.map(({ name: call, operation }) => callRow(call, operation, own.has(call)));
    const streams = rows.flatMap(({ name: call, operation }) =>
      operation.description === undefined ? [] : [`\n\`${call}\`: ${operation.description}\n`],
    );
    return `\n## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${description}\n\n| call | what | scope | takes | answers |\n|---|---|---|---|---|\n${table.join("")}${streams.join("")}`;
  });
  const schemas = Object.entries(document.components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => renderSchema(name, schema));
  return `${INTRODUCTION}${sections.join("")}\n## Views and bodies\n${schemas.join("")}`;
}

function callRow(call: string, operation: Operation, isOwn: boolean): string {
  const scope = operation.security[0]?.token?.[0] ?? "none";
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const body = operation.requestBody?.content["application/json"]?.schema;
  const takes = [
    ...query.map(({ name, schema }) => `\`?${name}=\` ${typeOf(schema)}`),
    ...(body === undefined || isEmpty(body) ? [] : [typeOf(body)]),
  ];
  const [status = "", response] = Object.entries(operation.responses).find(([key]) => key.startsWith("2")) ?? [];
  const [content] = Object.values(response?.content ?? {});
  const answer = `${status === "200" ? "" : `${status} `}${content === undefined ? "" : typeOf(content.schema)}`;
  const cells = [`\`${call}\``, operation.summary, isOwn ? `${scope}, *own*` : scope, takes.join("<br>"), answer];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
}

function renderSchema(name: string, schema: Schema): string {
  const head = `\n### ${name}\n\n${schema.description === undefined ? "" : `${schema.description}\n\n`}`;
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) {
    const lines = variants.map(
      (one) => `- ${typeOf(one)}${one.description === undefined ? "" : `: ${one.description}`}`,
    );
    return `${head}One of:\n\n${lines.join("\n")}\n`;
  }
  const rows = Object.entries(schema.properties ?? {}).map(([field, value]) => {
    const mark = schema.required?.includes(field) === true ? "" : "?";
    return `| \`${field}${mark}\` | ${typeOf(value).replaceAll("|", "\\|")} | ${(value.description ?? "").replaceAll("|", "\\|")} |\n`;
  });
  return `${head}| field | type | meaning |\n|---|---|---|\n${rows.join("")}`;
}

function isEmpty(schema: Schema): boolean {
  return schema.$ref === undefined && Object.keys(schema.properties ?? {}).length === 0;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.map(typeOf).join(" | ");
  if (schema.type === "array") return `${group(typeOf(schema.items ?? {}))}[]`;
  if (schema.properties !== undefined)
    return `{ ${Object.entries(schema.properties).map(fieldOf(schema)).join(", ")} }`;
  if (typeof schema.additionalProperties === "object") return `record of ${typeOf(schema.additionalProperties)}`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" | ") ?? "any");
}

function fieldOf(schema: Schema): (entry: readonly [string, Schema]) => string {
  return ([name, value]) => `${name}${schema.required?.includes(name) === true ? "" : "?"}: ${typeOf(value)}`;
}

function group(text: string): string {
  return text.includes(" | ") ? `(${text})` : text;
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}
