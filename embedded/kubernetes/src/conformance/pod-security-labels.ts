import { type Answer, expectCode } from './answers.ts'
import { pod } from './objects.ts'
import { MERGE, type Scope } from './scope.ts'

type Labels = Record<string, string | null>

export const LABEL = 'pod-security.kubernetes.io'

/** Gives the namespace of the check labels of Pod Security. */
export async function label(t: Scope, labels: Labels, options = ''): Promise<Answer> {
  const full = Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${LABEL}/${name}`, value]))
  return t.call('PATCH', `/api/v1/namespaces/${t.namespace}${options}`, {
    body: { metadata: { labels: full } },
    type: MERGE,
  })
}

/** Enforces a standard; done when the API server's cache of namespaces knows it. */
export async function enforce(t: Scope, level: string, version?: string): Promise<void> {
  await t.account()
  expectCode(await label(t, { enforce: level, ...(version ? { 'enforce-version': version } : {}) }), 200)
  const hostile = pod('probe', { hostPID: true, hostUsers: undefined })
  await t.until('the level to be known', async () => {
    const { code, body } = await t.post('v1/pods?dryRun=All', hostile)
    return code === 403 && body.message.includes(`"${level}:${version ?? 'latest'}"`)
  })
}
