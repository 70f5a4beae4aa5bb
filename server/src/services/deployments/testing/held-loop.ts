/** The longest that a timer had to wait while the work went on, in milliseconds. */
export async function heldLoop(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work()
  longest = Math.max(longest, performance.now() - last)
  clearInterval(timer)
  return longest
}
