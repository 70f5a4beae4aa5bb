import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { packChart } from '@quayside/embedded/seed/chart-package'
import { parse } from 'yaml'
import { root } from '../machine.ts'

const run = promisify(execFile)

interface Kubeconfig {
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[]
  users: { name: string; user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string } }[]
}

/** Stock `helm install --wait`: the portal's own binary, chart package, values and identity, and nothing else. */
export async function bareHelm(options: { dataDir: string; namespace: string; chart: string; version: string }) {
  const home = join(options.dataDir, 'bare-helm')
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
  const admin = parse(await readFile(adminFile, 'utf8')) as Kubeconfig
  const cluster = admin.clusters[0]?.cluster
  const user = admin.users[0]?.user
  if (!cluster || !user) throw new Error('the kubeconfig of the Sandbox names no cluster')
  const token = await spaceToken(cluster, user, namespace)
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

function spaceToken(
  cluster: Kubeconfig['clusters'][number]['cluster'],
  user: Kubeconfig['users'][number]['user'],
  namespace: string,
): Promise<string> {
  const decoded = (text: string | undefined) => (text ? Buffer.from(text, 'base64') : undefined)
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/quayside-deployer/token`
  return new Promise((resolve, reject) => {
    const call = request(`${cluster.server}${path}`, {
      method: 'POST',
      ca: decoded(cluster['certificate-authority-data']),
      cert: decoded(user['client-certificate-data']),
      key: decoded(user['client-key-data']),
      headers: {
        'content-type': 'application/json',
        ...(user.token ? { authorization: `Bearer ${user.token}` } : {}),
      },
    })
    call.on('error', reject)
    call.on('response', (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk
      })
      answer.on('end', () => {
        const token = answer.statusCode === 201 ? JSON.parse(text).status?.token : undefined
        if (typeof token === 'string') resolve(token)
        else reject(new Error(`the Sandbox gave no token: ${answer.statusCode} ${text.slice(0, 200)}`))
      })
    })
    call.end(
      JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 3600 },
      }),
    )
  })
}
