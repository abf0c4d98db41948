// Which versions of JAX a person can choose, and what the choice is called. Pure.

export interface Choice {
  /** What a request says: null for the server's own. */
  readonly jax: string | null;
  readonly title: string;
  readonly about: string;
  readonly chosen: boolean;
}

/** Empty where there is nothing to choose: one version, and none asked for that is not here. `there` has the server's own first. */
export function choicesOf(there: readonly string[], jax: string | null): readonly Choice[] {
  const [own, ...others] = there;
  if (own === undefined) return [];
  const chosen = jax === null || jax === own ? null : jax;
  const missing = chosen !== null && !others.includes(chosen);
  if (others.length === 0 && !missing) return [];
  return [
    { jax: null, title: `JAX ${own}`, about: "The server's own", chosen: chosen === null },
    ...others.map((version) => ({ jax: version, title: `JAX ${version}`, about: "", chosen: version === chosen })),
    ...(missing ? [{ jax: chosen, title: `JAX ${chosen}`, about: `Not here: \`jaxpr-visualizer jax add ${chosen}\``, chosen: true }] : []),
  ];
}
