const keptMs = 5000
const patienceMs = 1000

/** Tells whether the identity server answers for a realm, as it was five seconds ago at most. */
export function createIdentityWatch(url: string, realm: string): () => Promise<boolean> {
  let known: { at: number; answers: Promise<boolean> } | undefined
  const look = () =>
    fetch(`${url}/realms/${encodeURIComponent(realm)}`, { signal: AbortSignal.timeout(patienceMs) }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      },
      () => false,
    )
  return () => {
    if (!known || performance.now() - known.at > keptMs) known = { at: performance.now(), answers: look() }
    return known.answers
  }
}
