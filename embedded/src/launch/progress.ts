/** Tells a person what is going on: a line per step, with a spinner where the terminal can show one. */
export type Progress = {
  step<Result>(label: string, work: () => Promise<Result>): Promise<Result>
  line(text: string): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** For people who wait. */
export function shownProgress(out: NodeJS.WriteStream): Progress {
  return out.isTTY && !process.env.CI ? spinner(out) : plain(out)
}

/** For tests and scripts. */
export const quietProgress: Progress = { step: (_, work) => work(), line: () => undefined }

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

function plain(out: NodeJS.WriteStream): Progress {
  return {
    line: (text) => void out.write(`${text}\n`),
    async step(label, work) {
      const since = performance.now()
      out.write(`- ${label} …\n`)
      const result = await work()
      out.write(`✓ ${label} (${seconds(since)})\n`)
      return result
    },
  }
}

function spinner(out: NodeJS.WriteStream): Progress {
  const running = new Set<string>()
  let turn = 0
  let timer: NodeJS.Timeout | undefined
  const erase = () => out.write('\r\u001b[2K')
  const draw = () => {
    erase()
    if (running.size === 0) return
    const text = `${frames[turn++ % frames.length]} ${[...running].join(' · ')} …`
    out.write(text.slice(0, Math.max(10, out.columns - 1)))
  }
  const line = (text: string) => {
    erase()
    out.write(`${text}\n`)
    draw()
  }
  return {
    line,
    async step(label, work) {
      const since = performance.now()
      running.add(label)
      timer ??= setInterval(draw, 80)
      try {
        const result = await work()
        running.delete(label)
        line(`\u001b[32m✓\u001b[0m ${label} \u001b[2m${seconds(since)}\u001b[0m`)
        return result
      } catch (error) {
        running.delete(label)
        line(`\u001b[31m✗\u001b[0m ${label}`)
        throw error
      } finally {
        if (running.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
  }
}
