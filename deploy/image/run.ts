import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const most = 512 * 1024 * 1024

/** Runs a program of this machine to its end, and gives what it printed. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
  const { cwd, env = {} } = options
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      ...{ cwd, env: { ...process.env, ...env }, encoding: 'buffer', maxBuffer: most },
    })
    return stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: Buffer }
    if (code === 'ENOENT') throw new Error(`The program ${program} is needed to build the image, and is not here.`)
    throw new Error(`${program} ${args.join(' ')} failed:\n${stderr?.toString().trim()}`)
  }
}

interface RunOptions {
  cwd?: string
  env?: Record<string, string>
}
