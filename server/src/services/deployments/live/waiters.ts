/** Waits for the next news of an action, or for a while without. */
export function createWaiters() {
  const waiters = new Map<string, Set<() => void>>()

  function news(actionId: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const mine = waiters.get(actionId) ?? new Set()
      waiters.set(actionId, mine)
      const wake = () => {
        clearTimeout(timer)
        mine.delete(wake)
        if (mine.size === 0 && waiters.get(actionId) === mine) waiters.delete(actionId)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      mine.add(wake)
    })
  }

  function wake(actionId: string): void {
    for (const one of [...(waiters.get(actionId) ?? [])]) one()
  }

  return { news, wake }
}
