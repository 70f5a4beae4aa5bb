import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { postRenderer } from './argv.ts'

/** A private folder for one run: values, kubeconfig, and everything that Helm takes for its home. */
interface RunDirectory {
  path: string
  values: string
  kubeconfig: string
  remove(): Promise<void>
}

export async function makeRunDirectory(
  base: string,
  content: { values?: string; kubeconfig?: string; comparing?: { script: string; data: string } | undefined },
): Promise<RunDirectory> {
  const prefix = join(base, `run-${ownerPrefix}${process.pid}-`)
  const path = await mkdtemp(prefix).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(base, { recursive: true, mode: 0o700 })
    return mkdtemp(prefix)
  })
  const directory = {
    path,
    values: join(path, 'values.yaml'),
    kubeconfig: join(path, 'kubeconfig'),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  }
  try {
    await Promise.all([
      // The other homes Helm makes itself as soon as it has something to keep.
      mkdir(join(path, 'tmp'), { mode: 0o700 }),
      writeNew(directory.values, content.values),
      writeNew(directory.kubeconfig, content.kubeconfig),
      content.comparing && writePlugin(join(path, 'plugins', postRenderer), content.comparing),
    ])
    return directory
  } catch (error) {
    await directory.remove()
    throw error
  }
}

const refusalIn = (plugin: string) => join(plugin, 'refused.txt')

/** Why the program that was shown what Helm has rendered refused it; undefined when it did not. */
export function refusalOf(directory: string): Promise<string | undefined> {
  return readFile(refusalIn(join(directory, 'plugins', postRenderer)), 'utf8').catch(() => undefined)
}

/** Helm runs post-renderers as plugins alone; this one is Node with a script of ours. */
async function writePlugin(path: string, { script, data }: { script: string; data: string }): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const file = join(path, 'allowed.json')
  const runtimeConfig = { platformCommand: [{ command: process.execPath, args: [script, file, refusalIn(path)] }] }
  const plugin = {
    ...{ apiVersion: 'v1', type: 'postrenderer/v1', name: postRenderer, version: '1.0.0' },
    ...{ runtime: 'subprocess', runtimeConfig },
  }
  // JSON is YAML.
  await Promise.all([writeNew(join(path, 'plugin.yaml'), JSON.stringify(plugin)), writeNew(file, data)])
}

async function writeNew(file: string, text: string | undefined): Promise<void> {
  if (text !== undefined) await writeFile(file, text, { mode: 0o600, flag: 'wx' })
}

const ownerPrefix = `${hostname()
  .replace(/[^A-Za-z0-9]/g, '')
  .slice(0, 40)}-`

/** A folder of this machine whose process has ended belongs to nobody; of another machine's, only its age can tell. */
function isOrphan(name: string): boolean {
  if (!name.startsWith(`run-${ownerPrefix}`)) return false
  const pid = Number(name.slice(`run-${ownerPrefix}`.length).split('-')[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/**
 * A Helm whose portal was killed while its supervisor stood still lives on. Nobody may take its action over before it
 * has ended: its folder is where it works.
 */
function killThoseIn(path: string): void {
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    try {
      if (Number(name) > 0 && readlinkSync(`/proc/${name}/cwd`) === path) process.kill(Number(name), 'SIGKILL')
    } catch {
      // It has ended, or is somebody else's.
    }
  }
}

/** Removes what a killed server left: these folders hold tokens. Replicas may share the folder, so not what is in use. */
export async function sweepRunDirectories(base: string, olderThanMs: number, now = Date.now()): Promise<number> {
  const names = await readdir(base).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let removed = 0
  for (const name of names.filter((one) => one.startsWith('run-'))) {
    const path = join(base, name)
    const found = await stat(path).catch(() => undefined)
    if (!found || (now - found.mtimeMs < olderThanMs && !isOrphan(name))) continue
    // Another replica that shares the folder may sweep it as well.
    killThoseIn(await realpath(path).catch(() => path))
    await rm(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

/** The whole environment of Helm: nothing of ours, nothing of the machine's, no proxies. */
export function helmEnvironment(
  path: string,
  options: { oneProcessor: boolean; discoveryCache?: string },
): Record<string, string> {
  const { NODE_COMPILE_CACHE: compiled } = process.env
  return {
    HOME: join(path, 'home'),
    TMPDIR: join(path, 'tmp'),
    PATH: '',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    HELM_CACHE_HOME: join(path, 'cache'),
    HELM_CONFIG_HOME: join(path, 'config'),
    HELM_DATA_HOME: join(path, 'data'),
    HELM_PLUGINS: join(path, 'plugins'),
    HELM_REGISTRY_CONFIG: join(path, 'config', 'registry.json'),
    HELM_REPOSITORY_CONFIG: join(path, 'config', 'repositories.yaml'),
    HELM_REPOSITORY_CACHE: join(path, 'cache', 'repository'),
    HELM_DRIVER: 'secret',
    KUBECONFIG: join(path, 'kubeconfig'),
    // Runs are short: collecting garbage later costs a few megabytes and saves a tenth of the time.
    GOGC: '400',
    // GOGC delays collection; the limit makes a waiting Helm return the memory that rendering took.
    GOMEMLIMIT: '128MiB',
    // Half of what the program takes that is shown what Helm has rendered is reading its own code.
    ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}),
    ...(options.discoveryCache ? { KUBECACHEDIR: options.discoveryCache } : {}),
    ...(options.oneProcessor ? { GOMAXPROCS: '1' } : {}),
  }
}
