import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { parse } from 'yaml'

interface Kubeconfig {
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[]
  users: { name: string; user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string } }[]
}

/** The Sandbox of a kubeconfig, and calls of its administrator. */
export async function sandboxOf(adminFile: string) {
  const admin = parse(await readFile(adminFile, 'utf8')) as Kubeconfig
  const cluster = admin.clusters[0]?.cluster
  const user = admin.users[0]?.user
  if (!cluster || !user) throw new Error('the kubeconfig of the Sandbox names no cluster')
  const decoded = (text: string | undefined) => (text ? Buffer.from(text, 'base64') : undefined)

  const call = (method: string, path: string, body: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const sent = request(`${cluster.server}${path}`, {
        method,
        ca: decoded(cluster['certificate-authority-data']),
        cert: decoded(user['client-certificate-data']),
        key: decoded(user['client-key-data']),
        headers: {
          'content-type': 'application/json',
          ...(user.token ? { authorization: `Bearer ${user.token}` } : {}),
        },
      })
      sent.on('error', reject)
      sent.on('response', (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => {
          text += chunk
        })
        answer.on('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(text))
          else reject(new Error(`the Sandbox answered ${answer.statusCode} to ${path}: ${text.slice(0, 200)}`))
        })
      })
      sent.end(JSON.stringify(body))
    })

  return { cluster, call }
}
