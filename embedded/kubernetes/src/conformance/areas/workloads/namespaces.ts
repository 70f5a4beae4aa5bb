import assert from 'node:assert/strict'
import { type Body, expectCode, holds, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap } from '../../objects.ts'
import { MERGE } from '../../scope.ts'

const HOLD = 'example.com/hold'

const namespaceOf = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
  ...more,
})

const declare: Parameters<typeof area>[1] = (check) => {
  check('a namespace is labelled with its name and held by its finalizer', async (t) => {
    const { body } = await t.call('GET', `/api/v1/namespaces/${t.namespace}`)
    assert.equal(body.metadata.labels['kubernetes.io/metadata.name'], t.namespace)
    assert.deepEqual(body.spec.finalizers, ['kubernetes'])
    assert.equal(body.status.phase, 'Active')
  })
  check('the label of the name cannot be changed', async (t) => {
    const metadata = { labels: { 'kubernetes.io/metadata.name': 'other' } }
    const answer = await t.call('PATCH', `/api/v1/namespaces/${t.namespace}`, { type: MERGE, body: { metadata } })
    assert.equal(expectCode(answer, 200).metadata.labels['kubernetes.io/metadata.name'], t.namespace)
  })
  check('the name of a namespace is a DNS label', async (t) => {
    const answer = await t.call('POST', '/api/v1/namespaces', { body: namespaceOf('a.b') })
    invalid(answer, ['metadata.name', 'Invalid value: "a.b": must not contain dots'])
  })
  check('the first namespaces cannot be deleted', async (t) => {
    for (const name of ['default', 'kube-system', 'kube-public'])
      refused(
        await t.call('DELETE', `/api/v1/namespaces/${name}?dryRun=All`),
        403,
        'Forbidden',
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      )
  })
  check('a namespace that goes takes nothing more', async (t) => {
    const name = await t.otherNamespace()
    const maps = `/api/v1/namespaces/${name}/configmaps`
    const body = configMap('held', {}, { finalizers: [HOLD] })
    expectCode(await t.call('POST', maps, { body }), 201)
    const said = expectCode(await t.call('DELETE', `/api/v1/namespaces/${name}`), 200)
    assert.equal(said.status.phase, 'Terminating')
    const answer = await t.call('POST', maps, { body: configMap('late') })
    refused(
      answer,
      403,
      'Forbidden',
      `configmaps "late" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
    )
    holds(answer.body.details.causes, [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }])
    await t.call('PATCH', `${maps}/held`, { type: MERGE, body: { metadata: { finalizers: null } } })
  })
  check('a namespace takes all it holds with it', 'controllers', async (t) => {
    const name = await t.otherNamespace()
    const maps = `/api/v1/namespaces/${name}/configmaps`
    expectCode(await t.call('POST', maps, { body: configMap('a') }), 201)
    expectCode(await t.call('DELETE', `/api/v1/namespaces/${name}`), 200)
    await t.until('the namespace to go', async () => (await t.call('GET', `/api/v1/namespaces/${name}`)).code === 404)
    assert.equal((await t.call('GET', `${maps}/a`)).code, 404)
  })
  check('a namespace says what it waits for', 'controllers', async (t) => {
    const name = await t.otherNamespace()
    const path = `/api/v1/namespaces/${name}`
    const body = configMap('held', {}, { finalizers: [HOLD] })
    expectCode(await t.call('POST', `${path}/configmaps`, { body }), 201)
    expectCode(await t.call('DELETE', path), 200)
    const find = async () => {
      const { conditions = [] } = (await t.call('GET', path)).body.status
      return conditions.find(({ type, status }: Body) => type === 'NamespaceFinalizersRemaining' && status === 'True')
    }
    const { message, reason } = await t.until('the condition', find)
    assert.equal(reason, 'SomeFinalizersRemain')
    assert.equal(message, `Some content in the namespace has finalizers remaining: ${HOLD} in 1 resource instances`)
    await t.call('PATCH', `${path}/configmaps/held`, { type: MERGE, body: { metadata: { finalizers: null } } })
    // A namespace that waits is looked at again at longer and longer intervals, and soon after it was changed.
    await t.call('PATCH', path, { type: MERGE, body: { metadata: { labels: { looked: 'again' } } } })
    await t.until('the namespace to go', async () => (await t.call('GET', path)).code === 404)
  })
  check('every namespace gets an account and the authority', 'controllers', async (t) => {
    await t.until('the account', async () => (await t.get('v1/serviceaccounts/default')).code === 200)
    const find = async () => (await t.get('v1/configmaps/kube-root-ca.crt')).body.data?.['ca.crt']
    assert.match(await t.until('the authority', find), /^-----BEGIN CERTIFICATE-----/)
  })
}

export const namespaces = area('namespaces', declare, { isEarly: true })
