import assert from 'node:assert/strict'
import { expectCode, holds, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, job, pod } from '../../objects.ts'

const STALE = 'the object has been modified; please apply your changes to the latest version and try again'

export const writing = area('writing', (check) => {
  check('what is created has a uid, a version, a time and an owner of its fields', async ({ make, namespace }) => {
    const { metadata } = await make('v1/configmaps', configMap('one', { a: '1' }))
    assert.match(metadata.uid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.match(metadata.resourceVersion, /^\d+$/)
    assert.match(metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    holds(metadata, { name: 'one', namespace })
    holds(metadata.managedFields[0], { manager: 'conformance', operation: 'Update', apiVersion: 'v1' })
  })
  check('a name is given once', async ({ make, post }) => {
    await make('v1/configmaps', configMap('one'))
    const answer = await post('v1/configmaps', configMap('one'))
    refused(answer, 409, 'AlreadyExists', 'configmaps "one" already exists')
    assert.deepEqual(answer.body.details, { name: 'one', kind: 'configmaps' })
  })
  check('what is not there is named with its group', async ({ get }) => {
    const answer = await get('apps/v1/deployments/none')
    refused(answer, 404, 'NotFound', 'deployments.apps "none" not found')
    assert.deepEqual(answer.body.details, { name: 'none', group: 'apps', kind: 'deployments' })
  })
  check('a namespace that is not there takes nothing', async ({ call, unique }) => {
    const name = unique('gone')
    const answer = await call('POST', `/api/v1/namespaces/${name}/configmaps`, { body: configMap('x') })
    refused(answer, 404, 'NotFound', `namespaces "${name}" not found`)
  })
  check('the namespace of the body must be that of the path', async ({ post, namespace }) => {
    const answer = await post('v1/configmaps', configMap('x', {}, { namespace: 'other' }))
    refused(
      answer,
      400,
      'BadRequest',
      `the namespace of the provided object does not match the namespace sent on the request`,
    )
    assert.ok(namespace)
  })
  check('the name of the body must be that of the path', async ({ make, put }) => {
    await make('v1/configmaps', configMap('one'))
    refused(
      await put('v1/configmaps/one', configMap('two')),
      400,
      'BadRequest',
      'the name of the object (two) does not match the name on the URL (one)',
    )
  })
  check('an object needs a name', async ({ post }) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }
    const answer = await post('v1/configmaps', body)
    invalid(answer, ['metadata.name', 'Required value: name or generateName is required'])
    assert.equal(
      answer.body.message,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    )
  })
  check('a generated name is the stem and five more letters', async ({ make }) => {
    const { metadata } = await make('v1/configmaps', configMap('', {}, { generateName: 'batch-' }))
    assert.match(metadata.name, /^batch-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    assert.equal(metadata.generateName, 'batch-')
  })
  check('a stem that is too long is cut', async ({ make }) => {
    const { metadata } = await make('v1/configmaps', configMap('', {}, { generateName: 'x'.repeat(100) }))
    assert.equal(metadata.name.length, 63)
  })
  check('a body of another kind is refused', async ({ post }) => {
    const answer = await post('apps/v1/deployments', configMap('x'))
    refused(answer, 400, 'BadRequest', /ConfigMap in version "v1" cannot be handled as a Deployment/)
  })
  check('a body that is no JSON is refused', async ({ post }) => {
    refused(await post('v1/configmaps', '{"kind"'), 400, 'BadRequest', /unexpected end of JSON input|unexpected EOF/)
  })
  check('a body may be YAML', async ({ post }) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n'
    const made = expectCode(await post('v1/configmaps', body, { type: 'application/yaml' }), 201)
    assert.deepEqual(made.data, { a: '1' })
  })
  check('a body of an unknown form is 415', async ({ post }) => {
    refused(
      await post('v1/configmaps', 'x', { type: 'text/csv' }),
      415,
      'UnsupportedMediaType',
      /text\/csv|the body of/,
    )
  })
  check('an answer in an unknown form is 406', async ({ get }) => {
    const { code } = await get('v1/configmaps', { accept: 'text/csv' })
    assert.equal(code, 406)
  })
  check('answers may be YAML', async ({ make, get }) => {
    await make('v1/configmaps', configMap('one'))
    const { headers, body } = await get('v1/configmaps/one', { accept: 'application/yaml' })
    assert.match(String(headers['content-type']), /^application\/yaml/)
    assert.match(body, /^kind: ConfigMap$/m)
  })
  check('an update at the version it was read at is taken', async ({ make, put }) => {
    const made = await make('v1/configmaps', configMap('one', { a: '1' }))
    const next = expectCode(await put('v1/configmaps/one', { ...made, data: { a: '2' } }), 200)
    assert.deepEqual(next.data, { a: '2' })
    assert.notEqual(next.metadata.resourceVersion, made.metadata.resourceVersion)
    assert.equal(next.metadata.uid, made.metadata.uid)
  })
  check('an update at an old version is a conflict', async ({ make, put }) => {
    const made = await make('v1/configmaps', configMap('one', { a: '1' }))
    expectCode(await put('v1/configmaps/one', { ...made, data: { a: '2' } }), 200)
    const answer = await put('v1/configmaps/one', { ...made, data: { a: '3' } })
    refused(answer, 409, 'Conflict', `Operation cannot be fulfilled on configmaps "one": ${STALE}`)
    assert.deepEqual(answer.body.details, { name: 'one', kind: 'configmaps' })
  })
  check('an update that changes nothing keeps the version', async ({ make, put }) => {
    const made = await make('v1/configmaps', configMap('one', { a: '1' }))
    const same = expectCode(await put('v1/configmaps/one', made), 200)
    assert.equal(same.metadata.resourceVersion, made.metadata.resourceVersion)
  })
  check('an update of a foreign uid is a conflict', async ({ make, put }) => {
    const made = await make('v1/configmaps', configMap('one'))
    const metadata = { name: 'one', uid: '00000000-0000-4000-8000-000000000000' }
    refused(
      await put('v1/configmaps/one', { ...made, metadata }),
      409,
      'Conflict',
      /^Operation cannot be fulfilled on configmaps "one": (StorageError: invalid object, Code: 4|Precondition failed: UID in precondition: )/,
    )
  })
  check('an update of what is not there is 404', async ({ put }) => {
    refused(await put('v1/configmaps/none', configMap('none')), 404, 'NotFound', 'configmaps "none" not found')
  })
  check('what the server sets is not taken from the client', async ({ make }) => {
    const metadata = { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' }
    const made = await make('v1/configmaps', configMap('one', {}, metadata))
    assert.notEqual(made.metadata.uid, 'mine')
    assert.doesNotMatch(made.metadata.creationTimestamp, /^2001/)
    assert.equal(made.metadata.selfLink, undefined)
  })
  check('a new object may not come with a version', async ({ post }) => {
    const answer = await post('v1/configmaps', configMap('one', {}, { resourceVersion: '5' }))
    assert.equal(answer.body.message, 'resourceVersion should not be set on objects to be created')
    assert.equal(answer.code, 500)
  })
  check('the generation counts changes of the spec', async ({ make, put, read }) => {
    const made = await make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    assert.equal(made.metadata.generation, 1)
    const path = 'apps/v1/deployments/web'
    const fresh = await read(path)
    const spec = { ...fresh.spec, minReadySeconds: 3 }
    const next = expectCode(
      await put(path, { ...fresh, spec, metadata: { ...fresh.metadata, resourceVersion: undefined } }),
      200,
    )
    assert.equal(next.metadata.generation, 2)
    const labels = { team: 'x' }
    const third = await put(path, { ...next, metadata: { ...next.metadata, labels, resourceVersion: undefined } })
    assert.equal(expectCode(third, 200).metadata.generation, 2)
  })
  check('the status is not written with the rest', async ({ make, put }) => {
    const made = await make('apps/v1/deployments', { ...deployment('web', { replicas: 0 }), status: { replicas: 9 } })
    assert.notEqual(made.status?.replicas, 9)
    const metadata = { ...made.metadata, resourceVersion: undefined }
    const next = await put('apps/v1/deployments/web', { ...made, metadata, status: { replicas: 9 } })
    assert.notEqual(expectCode(next, 200).status?.replicas, 9)
  })
  check('the status has a door of its own that leaves the rest alone', async ({ make, put }) => {
    const made = await make('batch/v1/jobs', job('one', { suspend: true, parallelism: 0 }))
    const metadata = { ...made.metadata, resourceVersion: undefined }
    const status = { ...made.status, ready: 0, active: 0, conditions: [] }
    const told = await put('batch/v1/jobs/one/status', {
      ...made,
      metadata,
      spec: { ...made.spec, backoffLimit: 1 },
      status,
    })
    assert.equal(expectCode(told, 200).spec.backoffLimit, 6)
  })
  check('a dry run answers as if it were done and does nothing', async ({ post, get }) => {
    const made = expectCode(await post('v1/configmaps?dryRun=All', configMap('dry')), 201)
    assert.ok(made.metadata.uid)
    assert.equal(made.metadata.resourceVersion, undefined)
    assert.equal((await get('v1/configmaps/dry')).code, 404)
  })
  check('a dry run of an update and of a removal leaves the object', async ({ make, put, remove, read }) => {
    const made = await make('v1/configmaps', configMap('one', { a: '1' }))
    const next = expectCode(await put('v1/configmaps/one?dryRun=All', { ...made, data: { a: '2' } }), 200)
    assert.deepEqual(next.data, { a: '2' })
    expectCode(await remove('v1/configmaps/one?dryRun=All'), 200)
    assert.deepEqual((await read('v1/configmaps/one')).data, { a: '1' })
  })
  check('a dry run is checked as the real one', async ({ make, post }) => {
    await make('v1/configmaps', configMap('one'))
    refused(await post('v1/configmaps?dryRun=All', configMap('one')), 409, 'AlreadyExists')
    refused(await post('v1/configmaps?dryRun=All', configMap('Bad')), 422, 'Invalid')
  })
  check('a dry run of an unknown kind is refused', async ({ post }) => {
    const answer = await post('v1/configmaps?dryRun=Some', configMap('dry'))
    refused(
      answer,
      422,
      'Invalid',
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    )
  })
  check('a manager may have at most 128 letters', async ({ post }) => {
    const answer = await post(`v1/configmaps?fieldManager=${'m'.repeat(129)}`, configMap('one'))
    refused(answer, 422, 'Invalid', /fieldManager: Too long: may not be more than 128 bytes/)
  })
  check('an object above the limit of etcd is refused', async ({ post }) => {
    const { code } = await post('v1/configmaps', configMap('huge', { a: 'x'.repeat(3 * 1024 * 1024 + 1024) }))
    assert.equal(code, 413)
  })
  check('a pod counts its generations', async ({ account, make }) => {
    await account()
    assert.equal((await make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))).metadata.generation, 1)
  })
})
