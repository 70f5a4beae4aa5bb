import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { moduleFile, PACKAGES, RELEASE } from './module-file.ts'

/** The paths of the programs of a real cluster without nodes. */
export interface Programs {
  apiServer: string
  controllerManager: string
  etcd: string
}

const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache/kube-apiserver')

const programsIn = (folder: string): Programs => ({
  apiServer: join(folder, 'kube-apiserver'),
  controllerManager: join(folder, 'kube-controller-manager'),
  etcd: join(folder, 'server'),
})

/** Version of the installed Go, such as `go1.26.1`; undefined where there is none. */
export function goVersion(): string | undefined {
  const { error, stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  return error ? undefined : stdout.trim()
}

/** The programs, when an earlier run built them. */
export function builtPrograms(): Programs | undefined {
  const finished = join(CACHE, RELEASE, 'bin')
  return existsSync(finished) ? programsIn(finished) : undefined
}

/** The programs, built from Go modules unless an earlier run built them. A first build takes many minutes. */
export async function buildPrograms(tell: (line: string) => void): Promise<Programs> {
  const folder = join(CACHE, RELEASE)
  const finished = join(folder, 'bin')
  if (existsSync(finished)) return programsIn(finished)
  mkdirSync(folder, { recursive: true })
  tell(
    `Building kube-apiserver, kube-controller-manager and etcd ${RELEASE} with ${goVersion()}: 5 to 30 minutes, once`,
  )
  const { GoMod } = JSON.parse(await go(folder, ['mod', 'download', '-json', `k8s.io/kubernetes@${RELEASE}`]))
  writeFileSync(join(folder, 'go.mod'), moduleFile(readFileSync(GoMod, 'utf8')))
  const draft = join(folder, `bin.${process.pid}`)
  try {
    const named = `-X k8s.io/component-base/version.gitVersion=${RELEASE}`
    await go(folder, ['build', '-mod=mod', '-ldflags', named, '-o', `${draft}/`, ...PACKAGES])
    renameSync(draft, finished)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return programsIn(finished)
}

/** Runs Go to its end with little claim to the processor, and gives what it printed. */
async function go(folder: string, args: string[]): Promise<string> {
  const child = spawn('go', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const ended = once(child, 'close')
  await once(child, 'spawn')
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const [code] = await ended
  if (code !== 0) throw new Error(`go ${args.slice(0, 2).join(' ')} ended with ${code}`)
  return printed
}
