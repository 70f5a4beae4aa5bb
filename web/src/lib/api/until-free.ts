const mostTries = 3
const longestMs = 5000

/** How long a busy portal asks to be left alone; undefined when that is longer than somebody at a page waits. */
function pauseOf(answer: Response): number | undefined {
  const asked = Number(answer.headers.get('retry-after') ?? '1') * 1000
  if (!Number.isFinite(asked) || asked > longestMs) return undefined
  // Pages that were refused together do not come back together.
  return asked + Math.random() * 500
}

/** Sends a read again, up to three times, when the portal was too busy for it, once the time is over that it names. */
export async function untilFree(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const answer = await send()
    const pause = answer.status === 429 && tries < mostTries ? pauseOf(answer) : undefined
    if (pause === undefined) return answer
    await answer.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
