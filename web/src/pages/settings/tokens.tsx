import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Api } from "../../../../src/protocol/api.ts";
import { call } from "../../data/call.ts";
import { tokensQuery } from "../../data/settings-queries.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact, formatMoment } from "../../lib/time.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Field } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Table } from "../../parts/table.tsx";

type Scope = TokenRow["scope"];

const SCOPE_LABELS = [
  { value: "read", label: "Read" },
  { value: "operate", label: "Operate agents" },
  { value: "admin", label: "Everything" },
] as const;

/** Tokens for programs that use the API. */
export function Tokens() {
  const now = useNow();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ["tokens"] });
  const { data, error, refetch } = useQuery(tokensQuery());
  const revoke = useMutation({
    mutationFn: (name: string) => call("DELETE /api/tokens/:name", { params: { name } }),
    onSuccess: refresh,
  });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  const columns = [
    { name: "Name", cell: ({ name }: TokenRow) => <code>{name}</code> },
    { name: "Scope", cell: ({ scope }: TokenRow) => scope },
    {
      name: "Created",
      cell: ({ createdAt }: TokenRow) => <span title={formatExact(createdAt)}>{formatMoment(createdAt, now)}</span>,
    },
    {
      name: "",
      cell: ({ name }: TokenRow) => (
        <Button aria-label={`Revoke ${name}`} disabled={revoke.isPending} onClick={() => revoke.mutate(name)}>
          Revoke
        </Button>
      ),
      isNumber: true,
    },
  ];
  return (
    <>
      <NewToken onCreated={refresh} />
      {revoke.error === null ? null : <Failure error={revoke.error} />}
      {data?.data.length === 0 ? <Empty title="No further tokens" /> : null}
      {data === undefined || data.data.length === 0 ? null : (
        <Table label="API tokens" columns={columns} rows={data.data} keyOf={({ name }) => name} />
      )}
    </>
  );
}

type TokenRow = Api["GET /api/tokens"]["out"]["data"][number];

function NewToken({ onCreated }: { readonly onCreated: () => unknown }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const create = useMutation({
    mutationFn: () => call("POST /api/tokens", { input: { name, scope } }),
    onSuccess: () => {
      setName("");
      onCreated();
    },
  });
  return (
    <form
      className="token-form"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Field label="Name of a new token" hint="letters, digits, dot, dash">
        {(id) => (
          <input
            id={id}
            className="input"
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Segments label="Scope" options={SCOPE_LABELS} value={scope} onChange={setScope} />
      <div>
        <Button type="submit" disabled={name === "" || create.isPending}>
          Create
        </Button>
      </div>
      {create.error === null ? null : <Failure error={create.error} />}
      {create.data === undefined ? null : (
        <>
          <Notice tone="you">Copy the secret of {create.data.name} now; it is not shown again.</Notice>
          <code className="secret">{create.data.token}</code>
        </>
      )}
    </form>
  );
}
