import assert from 'node:assert/strict'
import { type Answer, type Body, expectCode, holds, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { APPLY, MERGE, type Scope, STRATEGIC } from '../../scope.ts'

const CRDS = 'apiextensions.k8s.io/v1/customresourcedefinitions'
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const SPEC = {
  type: 'object',
  required: ['arms'],
  properties: {
    arms: { type: 'integer', minimum: 1, maximum: 8 },
    paint: { type: 'string', default: 'grey', enum: ['grey', 'red'] },
    note: { type: 'string', pattern: '^[a-z]*$', maxLength: 5 },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, size: { type: 'integer' } } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
    nothing: { type: 'string', nullable: true },
  },
}

const version = (name: string, spec: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  },
  ...more,
})

interface Kind {
  group: string
  plural: string
  /** Where its objects are. */
  path: (name?: string, version?: string) => string
  robot: (name: string, spec?: object, more?: object) => Body
  make: (spec?: object, more?: object) => Promise<Answer>
  crd: Body
}

interface Wanted {
  spec?: object
  version?: object
  versions?: (first: object) => object[]
  more?: object
}

const definition = (group: string, versions: object[], more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `robots.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'robots', singular: 'robot', kind: 'Robot', listKind: 'RobotList', shortNames: ['rb'] },
    versions,
    ...more,
  },
})

/** Defines a kind of this check alone, and waits until it is served. */
async function robots(t: Scope, { spec = SPEC, version: more = {}, versions, more: crdMore = {} }: Wanted = {}) {
  const group = `${t.unique('factory')}.example.com`
  const first = version('v1', spec, more)
  const crd = await t.makeWide(CRDS, definition(group, versions ? versions(first) : [first], crdMore))
  const path: Kind['path'] = (name, served = 'v1') =>
    `/apis/${group}/${served}/namespaces/${t.namespace}/robots${name ? `/${name}` : ''}`
  await t.until('the kind to be served', async () => (await t.get(path())).code === 200)
  const robot: Kind['robot'] = (name, body = { arms: 2 }, rest = {}) => ({
    apiVersion: `${group}/v1`,
    kind: 'Robot',
    metadata: { name },
    spec: body,
    ...rest,
  })
  // Right after it was established, a kind may still be unknown to writers.
  const make: Kind['make'] = (body, rest) =>
    t.until('the kind to take objects', async () => {
      const answer = await t.post(path(), robot('one', body, rest))
      return answer.code !== 404 && answer.code !== 429 && answer
    })
  return { group, plural: 'robots', path, robot, make, crd } satisfies Kind
}

export const definitions = area('custom kinds', (check) => {
  check('a definition is accepted, established and discovered', async (t) => {
    const { group, crd } = await robots(t)
    const { status } = await t.read(`${CRDS}/${crd.metadata.name}`)
    const conditions = Object.fromEntries(status.conditions.map(({ type, status: is }: Body) => [type, is]))
    holds(conditions, { NamesAccepted: 'True', Established: 'True' })
    assert.deepEqual(status.storedVersions, ['v1'])
    const { resources } = await t.until('discovery', async () => {
      const answer = await t.get(`/apis/${group}/v1`)
      return answer.code === 200 && answer.body
    })
    holds(resources[0], { name: 'robots', singularName: 'robot', namespaced: true, kind: 'Robot', shortNames: ['rb'] })
  })
  check('objects come and go', async (t) => {
    const { make, path } = await robots(t)
    const made = expectCode(await make(), 201)
    assert.equal(made.metadata.generation, 1)
    assert.equal(expectCode(await t.patch(path('one'), MERGE, { spec: { arms: 4 } }), 200).metadata.generation, 2)
    assert.equal((await t.get(path())).body.kind, 'RobotList')
    expectCode(await t.remove(path('one')), 200)
    const answer = await t.get(path('one'))
    refused(answer, 404, 'NotFound', /^robots\.factory-.*\.example\.com "one" not found$/)
  })
  check('defaults are filled in', async (t) => {
    assert.equal(expectCode(await (await robots(t)).make(), 201).spec.paint, 'grey')
  })
  check('unknown fields are pruned', async (t) => {
    const { make, path, robot } = await robots(t)
    const made = expectCode(await make({ arms: 2, legs: 2, free: { any: { thing: 1 } } }), 201)
    assert.deepEqual(made.spec, { arms: 2, paint: 'grey', free: { any: { thing: 1 } } })
    refused(
      await t.post(`${path()}?fieldValidation=Strict`, robot('two', { arms: 2, legs: 2 })),
      400,
      'BadRequest',
      'Robot in version "v1" cannot be handled as a Robot: strict decoding error: unknown field "spec.legs"',
    )
  })
  const mistakes: [string, object, string, string | RegExp][] = [
    ['a required field', {}, 'spec.arms', 'Required value'],
    [
      'a type',
      { arms: 'two' },
      'spec.arms',
      'Invalid value: "string": spec.arms in body must be of type integer: "string"',
    ],
    ['a minimum', { arms: 0 }, 'spec.arms', 'Invalid value: 0: spec.arms in body should be greater than or equal to 1'],
    ['a maximum', { arms: 9 }, 'spec.arms', 'Invalid value: 9: spec.arms in body should be less than or equal to 8'],
    [
      'a choice',
      { arms: 1, paint: 'pink' },
      'spec.paint',
      'Unsupported value: "pink": supported values: "grey", "red"',
    ],
    [
      'a pattern',
      { arms: 1, note: 'A' },
      'spec.note',
      'Invalid value: "A": spec.note in body should match \'^[a-z]*$\'',
    ],
    ['a length', { arms: 1, note: 'abcdef' }, 'spec.note', 'Too long: may not be more than 5 bytes'],
    ['keys of a list', { arms: 1, parts: [{ id: 'a' }, { id: 'a' }] }, 'spec.parts[1]', 'Duplicate value: {"id":"a"}'],
  ]
  for (const [what, spec, field, why] of mistakes) {
    check(`${what} is checked`, async (t) => {
      const answer = await (await robots(t)).make(spec)
      assert.equal(answer.code, 422, answer.body.message)
      const cause = answer.body.details.causes.find((one: Body) => one.field === field)
      assert.ok(cause, answer.body.message)
      if (typeof why === 'string') assert.equal(cause.message, why)
    })
  }
  check('a number or a text, and null where it may be', async (t) => {
    const { make } = await robots(t)
    const { spec } = expectCode(await make({ arms: 1, either: '50%', nothing: null }), 201)
    assert.deepEqual([spec.either, spec.nothing], ['50%', null])
  })
  check('a status has its own door', async (t) => {
    const { make, path } = await robots(t, { version: { subresources: { status: {} } } })
    assert.equal(expectCode(await make({ arms: 2 }, { status: { state: 'on' } }), 201).status, undefined)
    const told = expectCode(
      await t.patch(`${path('one')}/status`, MERGE, { spec: { arms: 7 }, status: { state: 'on' } }),
      200,
    )
    assert.deepEqual([told.spec.arms, told.status.state, told.metadata.generation], [2, 'on', 1])
    const meant = expectCode(await t.patch(path('one'), MERGE, { spec: { arms: 3 }, status: { state: 'off' } }), 200)
    assert.deepEqual([meant.spec.arms, meant.status.state, meant.metadata.generation], [3, 'on', 2])
  })
  check('without a status of its own there is no door', async (t) => {
    const { make, path } = await robots(t)
    await make()
    assert.equal((await t.get(`${path('one')}/status`)).code, 404)
  })
  check('a scale is read and written by its paths', async (t) => {
    const scale = { specReplicasPath: '.spec.arms', statusReplicasPath: '.status.arms' }
    const { make, path } = await robots(t, { version: { subresources: { status: {}, scale } } })
    await make()
    holds((await t.get(`${path('one')}/scale`)).body, { kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 0 } })
    expectCode(await t.patch(`${path('one')}/scale`, MERGE, { spec: { replicas: 5 } }), 200)
    assert.equal((await t.get(path('one'))).body.spec.arms, 5)
  })
  check('columns are those of the definition', async (t) => {
    const additionalPrinterColumns = [
      { name: 'Arms', type: 'integer', jsonPath: '.spec.arms' },
      { name: 'Paint', type: 'string', jsonPath: '.spec.paint', priority: 1 },
    ]
    const { make, path } = await robots(t, { version: { additionalPrinterColumns } })
    await make()
    const { body } = await t.get(path(), { accept: TABLE })
    assert.deepEqual(
      body.columnDefinitions.map(({ name }: Body) => name),
      ['Name', 'Arms', 'Paint'],
    )
    assert.deepEqual(body.rows[0].cells, ['one', 2, 'grey'])
  })
  check('columns are name and age when none are given', async (t) => {
    const { path } = await robots(t)
    const { body } = await t.get(path(), { accept: TABLE })
    assert.deepEqual(
      body.columnDefinitions.map(({ name }: Body) => name),
      ['Name', 'Age'],
    )
  })
  check('every served version shows the object', async (t) => {
    const kind = await robots(t, { versions: (first) => [first, version('v1beta1', SPEC)] })
    await kind.make()
    const { body } = await t.get(kind.path('one', 'v1beta1'))
    assert.equal(body.apiVersion, `${kind.group}/v1beta1`)
    assert.equal(body.spec.arms, 2)
  })
  check('a version that is not served is not there', async (t) => {
    const kind = await robots(t, { versions: (first) => [first, version('v1beta1', SPEC, { served: false })] })
    assert.equal((await t.get(kind.path(undefined, 'v1beta1'))).code, 404)
  })
  check('a deprecated version warns', async (t) => {
    const old = version('v1beta1', SPEC, { deprecated: true, deprecationWarning: 'use v1' })
    const kind = await robots(t, { versions: (first) => [first, old] })
    const { headers } = await t.get(kind.path(undefined, 'v1beta1'))
    assert.match(String(headers.warning), /^299 - "use v1"$/)
  })
  check('a rule over fields is kept', async (t) => {
    const rule = { rule: "self.arms < 5 || self.paint == 'red'", message: 'many arms must be red' }
    const { make } = await robots(t, { spec: { ...SPEC, 'x-kubernetes-validations': [rule] } })
    const answer = await make({ arms: 6 })
    invalid(answer, ['spec', /^Invalid value: .*many arms must be red$/])
  })
  check('a rule may look at what was', async (t) => {
    const rule = { rule: 'self >= oldSelf', message: 'arms do not go' }
    const arms = { ...SPEC.properties.arms, 'x-kubernetes-validations': [rule] }
    const { make, path } = await robots(t, { spec: { ...SPEC, properties: { ...SPEC.properties, arms } } })
    expectCode(await make({ arms: 4 }), 201)
    invalid(await t.patch(path('one'), MERGE, { spec: { arms: 3 } }), [
      'spec.arms',
      /^Invalid value: .*arms do not go$/,
    ])
  })
  check('a rule may make its message', async (t) => {
    const rule = { rule: 'self.arms != 3', messageExpression: "'arms: ' + (self.arms == 3 ? 'three' : 'many')" }
    const { make } = await robots(t, { spec: { ...SPEC, 'x-kubernetes-validations': [rule] } })
    invalid(await make({ arms: 3 }), ['spec', /^Invalid value: .*arms: three$/])
  })
  check('a rule that cannot be compiled is refused', async (t) => {
    const group = `${t.unique('factory')}.example.com`
    const spec = { ...SPEC, 'x-kubernetes-validations': [{ rule: 'self.wings > 1' }] }
    const answer = await t.post(CRDS, definition(group, [version('v1', spec)]))
    refused(answer, 422, 'Invalid', /x-kubernetes-validations\[0\]\.rule: Invalid value: .*undefined field 'wings'/)
  })
  check('fields may be selected by', async (t) => {
    const { make, path } = await robots(t, { version: { selectableFields: [{ jsonPath: '.spec.paint' }] } })
    expectCode(await make(), 201)
    assert.equal((await t.get(`${path()}?fieldSelector=spec.paint=grey`)).body.items.length, 1)
    assert.equal((await t.get(`${path()}?fieldSelector=spec.paint=red`)).body.items.length, 0)
    assert.equal((await t.get(`${path()}?fieldSelector=spec.arms=2`)).code, 400)
  })
  check('apply works on custom objects', async (t) => {
    const { path, robot, make } = await robots(t)
    await make()
    const applied = await t.patch(
      `${path('two')}?fieldManager=me`,
      APPLY,
      robot('two', { arms: 1, parts: [{ id: 'a' }] }),
    )
    expectCode(applied, 201)
    const other = robot('two', { parts: [{ id: 'b', size: 1 }] })
    const next = expectCode(await t.patch(`${path('two')}?fieldManager=other`, APPLY, other), 200)
    assert.deepEqual(
      next.spec.parts.map(({ id }: Body) => id),
      ['a', 'b'],
    )
  })
  check('a strategic merge is for built-in kinds', async (t) => {
    const { make, path } = await robots(t)
    await make()
    const answer = await t.patch(path('one'), STRATEGIC, { spec: { arms: 3 } })
    refused(
      answer,
      415,
      'UnsupportedMediaType',
      /application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml/,
    )
  })
  check('the name of a definition is made of its parts', async (t) => {
    const crd = definition('a.example.com', [version('v1', SPEC)])
    const answer = await t.post(CRDS, { ...crd, metadata: { name: 'robots.b.example.com' } })
    refused(
      answer,
      422,
      'Invalid',
      /metadata\.name: Invalid value: "robots\.b\.example\.com": must be spec\.names\.plural\+"\."\+spec\.group/,
    )
  })
  check('one version is stored', async (t) => {
    const group = `${t.unique('factory')}.example.com`
    const answer = await t.post(CRDS, definition(group, [version('v2', SPEC), version('v3', SPEC)]))
    refused(answer, 422, 'Invalid', /must have exactly one version marked as storage version/)
  })
  check('a schema is structural', async (t) => {
    const group = `${t.unique('factory')}.example.com`
    const answer = await t.post(CRDS, definition(group, [version('v1', { properties: { a: {} } })]))
    refused(answer, 422, 'Invalid', /type: Required value: must not be empty for specified object fields/)
  })
  check('objects go with their definition', async (t) => {
    const { make, crd, path } = await robots(t)
    expectCode(await make(), 201)
    expectCode(await t.remove(`${CRDS}/${crd.metadata.name}`), 200)
    await t.until('the definition to go', async () => (await t.get(`${CRDS}/${crd.metadata.name}`)).code === 404)
    await t.until('the kind to go', async () => (await t.get(path())).code === 404)
  })
  check('kubectl explains and lists a custom kind', async (t) => {
    const { make, group } = await robots(t)
    await make()
    const explained = await t.until('the description', async () => {
      const said = await t.kubectl(`explain robots.spec --api-version=${group}/v1`)
      return said.code === 0 && said.out.includes('arms') && said.out
    })
    assert.match(explained, /^ {2}arms\t<integer> -required-$/m)
    const { out } = await t.kubectl(`get robots.${group}`)
    assert.match(out, /^NAME +AGE\none +/)
  })
})
