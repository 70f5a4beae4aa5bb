import { type RequestOptions, request } from 'node:https'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Permission } from '@quayside/contract/permissions/permission-entry'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import type { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { parse } from 'yaml'

/** Somebody with a token of the portal. */
export interface Person {
  id: string
  call<T = { code?: string }>(
    path: string,
    how?: { method?: string; body?: unknown },
  ): Promise<{ status: number; body: T }>
}

const spaces = '/portal-api/v3/spaces'
export const kubeconfigsPath = '/cluster/v1/kubeconfigs'

function personWith(world: World, token: string): Person {
  return {
    id: decodeJwt(token).sub ?? '',
    call: callsOf(world, token).call,
  }
}

export async function operator(world: World): Promise<Person> {
  return personWith(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
}

/** Somebody who can be disabled: with a name and a password, as people have. */
export async function member(world: World): Promise<Person> {
  const made = await world.personWith({ realmRoles: ['quayside-member'] })
  return personWith(world, (await signInAsPerson(world, made)).access_token)
}

/** Registers the cluster of a kubeconfig: the Sandbox, or a real one. */
export async function registered(by: Person, kubeconfig: string): Promise<Cluster> {
  const body = { displayName: 'Under test', iaas: { type: 'Test' }, kubeconfig }
  return made(await by.call<Cluster>('/cluster/v1/clusters', { body }))
}

let count = 0
export async function newSpace(by: Person, clusterIds: string[] = []): Promise<Space> {
  count += 1
  return made(await by.call<Space>(spaces, { body: { displayName: `Space ${count}`, clusterIds } }))
}

export async function grant(
  by: Person,
  space: Space,
  who: Person | { type: string; id: string },
  role: string,
): Promise<Permission> {
  const principal = 'type' in who ? who : { type: 'user', id: who.id }
  return made(await by.call<Permission>(`${spaces}/${space.id}/permissions`, { body: { principal, role } }))
}

export async function kubeconfigOf(who: Person, space: Space, cluster: Cluster): Promise<Kubeconfig> {
  const body = { places: [{ spaceId: space.id, clusterId: cluster.id }] }
  return made(await who.call<Kubeconfig>(kubeconfigsPath, { body }))
}

function made<T>({ status, body }: { status: number; body: T }): T {
  if (status > 201) throw new Error(`it was refused: ${status} ${JSON.stringify(body)}`)
  return body
}

interface Config {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
  users: [{ user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string } }]
  contexts: [{ context: { namespace?: string } }]
}

/** Calls the API of the cluster with what a kubeconfig holds. */
export function askCluster(
  kubeconfig: string,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<{ status: number; text: string }> {
  const { clusters, users, contexts } = parse(kubeconfig) as Config
  const [{ cluster }] = clusters
  const [{ user }] = users
  const pem = (data: string | undefined) => (data === undefined ? undefined : Buffer.from(data, 'base64'))
  const options: RequestOptions = {
    method,
    ca: pem(cluster['certificate-authority-data']),
    cert: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
    headers: {
      'content-type': 'application/json',
      ...(user.token === undefined ? {} : { authorization: `Bearer ${user.token}` }),
    },
  }
  const url = cluster.server + path.replace('{namespace}', contexts[0].context.namespace ?? 'default')
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export async function statusOf({ kubeconfig }: Pick<Kubeconfig, 'kubeconfig'>, resource: string): Promise<number> {
  return (await askCluster(kubeconfig, `/api/v1/namespaces/{namespace}/${resource}`)).status
}
