import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../data/queries.ts";

export function SessionPage({ id }: { readonly id: string }) {
  const { data, error } = useQuery(sessionQuery(id));
  if (error !== null) return <main className="page bad">{error.message}</main>;
  return (
    <main className="page">
      <h1>{data?.title ?? id}</h1>
      <p className="ink-2">{data?.evidence}</p>
    </main>
  );
}
