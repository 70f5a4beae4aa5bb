import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { packChart } from '@quayside/embedded/seed/chart-package'
import { root } from '../machine.ts'
import { sandboxOf } from './sandbox-calls.ts'

const run = promisify(execFile)

/** Stock `helm install --wait`: the portal's own binary, chart package, values and identity, and nothing else. */
export async function bareHelm(options: { dataDir: string; namespace: string; chart: string; version: string }) {
  const home = join(options.dataDir, `bare-helm-${options.namespace}`)
  await mkdir(home)
  const binary = await helmBinary(join(options.dataDir, 'portal', 'bin'))
  const chart = join(home, `${options.chart}.tgz`)
  const folder = join(root, 'samples/charts', options.chart, options.version)
  await writeFile(chart, await packChart(folder, options.chart))
  const kubeconfig = join(home, 'kubeconfig')
  await writeFile(kubeconfig, await spaceKubeconfig(join(options.dataDir, 'kubeconfig'), options.namespace))
  const env = { HOME: home, KUBECONFIG: kubeconfig, PATH: process.env.PATH }
  const values = join(home, 'values.yaml')
  return {
    version: (await run(binary, ['version', '--short'], { env })).stdout.trim(),
    /** Names of the releases that are deployed in the namespace. */
    async deployed(): Promise<string[]> {
      const argv = ['list', '--deployed', '--short', '--max', '10000', '--namespace', options.namespace]
      const { stdout } = await run(binary, argv, { env, maxBuffer: 16 * 1024 * 1024 })
      return stdout.split('\n').filter((name) => name !== '')
    },
    /** Milliseconds from the start of the process to its end. */
    async install(releaseName: string, valuesYaml: string): Promise<number> {
      await writeFile(values, valuesYaml)
      const argv = ['install', '--wait=watcher', '--timeout', '600s', '--namespace', options.namespace]
      const since = performance.now()
      await run(binary, [...argv, '--values', values, releaseName, chart], { env })
      return performance.now() - since
    },
  }
}

/** The same one that the portal found: on the path, or unpacked into its folder. */
async function helmBinary(unpacked: string): Promise<string> {
  const names = existsSync(unpacked) ? await readdir(unpacked) : []
  const own = names.find((name) => name.startsWith('helm'))
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'helm'))
  const binary = own ? join(unpacked, own) : onPath.find(existsSync)
  if (!binary) throw new Error('the Helm that the portal uses was not found')
  return binary
}

/** A kubeconfig of the space's own account, the identity with which the portal deploys as well. */
async function spaceKubeconfig(adminFile: string, namespace: string): Promise<string> {
  const { cluster, call } = await sandboxOf(adminFile)
  // A namespace is called as its space, with the space's id behind it.
  const account = `space-${namespace.slice(namespace.lastIndexOf('-') + 1)}`
  const answer = await call('POST', `/api/v1/namespaces/quayside-system/serviceaccounts/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  })
  const token = (answer as { status?: { token?: string } }).status?.token
  if (!token) throw new Error('the Sandbox gave no token')
  const name = 'sandbox'
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  })
}
