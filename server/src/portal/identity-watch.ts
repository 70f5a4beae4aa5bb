const lookAgainMs = 5000
const timeoutMs = 1000

/**
 * Tells whether the identity server answered for a realm at the last look, and looks again in the background when that
 * is five seconds ago: nobody waits for a server that hangs. The portal starts only when it answers.
 */
export function createIdentityWatch(url: string, realm: string): () => boolean {
  let isThere = true
  let isLooking = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const answers = () =>
    fetch(`${url}/realms/${encodeURIComponent(realm)}`, { signal: AbortSignal.timeout(timeoutMs) })
      .then(async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      })
      .catch(() => false)
  async function look(): Promise<void> {
    isLooking = true
    isThere = await answers()
    lookedAt = performance.now()
    isLooking = false
  }

  return () => {
    if (!isLooking && performance.now() - lookedAt > lookAgainMs) void look()
    return isThere
  }
}
