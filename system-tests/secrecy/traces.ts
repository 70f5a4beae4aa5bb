import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder, with its path; the folders that `isLeftOut` names are not looked into. */
export function filesBelow(folder: string, isLeftOut: (path: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (isLeftOut(path)) return []
    if (entry.isDirectory()) return filesBelow(path, isLeftOut)
    return entry.isFile() ? [`${path} ${readFileSync(path, 'latin1')}`] : []
  })
}

/** Notes what stands in the arguments and the environment of the processes whose arguments name a text. */
export function watchProcesses(named: string): { seen: Set<string>; stop(): void } {
  const seen = new Set<string>()
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = textOf(`/proc/${pid}/cmdline`)
      if (command.includes(named)) seen.add(`${command}\n${textOf(`/proc/${pid}/environ`)}`)
    }
  }
  const timer = setInterval(look, 20)
  return { seen, stop: () => clearInterval(timer) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
