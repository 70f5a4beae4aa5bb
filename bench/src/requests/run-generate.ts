import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Requests that one process makes: it keeps `connections` of them in flight. */
export interface Order {
  url: string
  token: string
  connections: number
  seconds: number
  /** Answers with 429 are taken, and their times left out. */
  isRefusable?: boolean
}

/** Asks from a process of its own, for so many seconds; gives the milliseconds of each answer, and how many were refused. */
export async function generate(order: Order): Promise<{ taken: number[]; refused: number }> {
  const argv = [join(import.meta.dirname, 'generate.ts'), JSON.stringify(order)]
  const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout) as { taken: number[]; refused: number }
}
