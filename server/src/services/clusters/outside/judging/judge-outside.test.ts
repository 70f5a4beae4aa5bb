import { describe, expect, it } from 'vitest'
import { readManifest } from '../../../../adapters/helm/manifest.ts'
import type { Fields } from '../../workloads/fields.ts'
import { outsideOf, unclear } from '../outside-objects.ts'
import { type Judged, judgeOutside, type Surroundings } from './judge-outside.ts'

const space = {
  namespace: 'team-a',
  resourceScopes: new Map([
    ['v1/ConfigMap', true],
    ['example.com/v1/Widget', false],
  ]),
}
const rbac = 'apiVersion: rbac.authorization.k8s.io/v1'
const role = (rules: string, name = 'web') =>
  `---\n${rbac}\nkind: ClusterRole\nmetadata: {name: ${name}}\nrules: ${rules}\n`
const binding = (ref: string, more = '', name = 'web') =>
  `---\n${rbac}\nkind: ClusterRoleBinding\nmetadata: {name: ${name}}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${ref}}\nsubjects: [{kind: ServiceAccount, name: web, namespace: team-a}${more}]\n`

function judged(manifest: string, around: Partial<Surroundings> = {}): Judged[] {
  return judgeOutside(outsideOf(readManifest(manifest), space), {
    namespace: 'team-a',
    namespaces: new Map(),
    existing: new Map(),
    roles: new Map(),
    ...around,
  })
}
const whyNot = (manifest: string, around: Partial<Surroundings> = {}) =>
  judged(manifest, around).map(({ never }) => never)

describe('what is outside of a space', () => {
  it('is what another namespace or the whole cluster holds, also in a list and of kinds that the chart defines', () => {
    const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}
---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: team-a}
---\napiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: other}}]
---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: d}
---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.x.io}\nspec: {group: x.io, scope: Cluster, names: {kind: Thing}}
---\napiVersion: x.io/v1\nkind: Thing\nmetadata: {name: e}\n`
    const found = outsideOf(readManifest(manifest), space).map(({ object, namespace }) => [object.name, namespace])
    expect(found).toEqual([
      ['c', 'other'],
      ['d', null],
      ['things.x.io', null],
      ['e', null],
    ])
  })

  it('cannot be told of objects that say in a roundabout way what they are', () => {
    const manifest = `x: &x {kind: ClusterRole}\n---\nkind: !!binary Q2x1c3RlclJvbGU=\napiVersion: v1\nmetadata: {name: a}\n---\n${rbac}\nkind: ConfigMap\nmetadata: {name: ok}\n`
    expect(unclear(readManifest(manifest))).toHaveLength(2)
  })
})

describe('no list and no approval lets be', () => {
  it.each([
    ['everything on everything', '[{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]'],
    ['every verb on roles', '[{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: ["*"]}]'],
    ['escalate', '[{apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}]'],
    ['bind', '[{apiGroups: ["*"], resources: ["*"], verbs: [get, bind]}]'],
    ['impersonate', '[{apiGroups: [""], resources: [users], verbs: [impersonate]}]'],
    ['tokens by a star', '[{apiGroups: [""], resources: ["*"], verbs: [create]}]'],
    ['tokens by a star of subresources', '[{apiGroups: [""], resources: ["*/token"], verbs: [create]}]'],
    ['certificates of the cluster', '[{apiGroups: [certificates.k8s.io], resources: [signers], verbs: [approve]}]'],
  ])('a role with %s', (_, rules) => {
    expect(whyNot(role(rules))).not.toContain(null)
    // Bound, it is no better.
    expect(whyNot(role(rules) + binding('web'))).not.toContain(null)
  })

  it.each([
    ['cluster-admin', binding('cluster-admin')],
    ['the roles of Kubernetes that hold Secrets and tokens', binding('edit')],
    ['a role that is not there', binding('elsewhere')],
    [
      'an account of the portal',
      role('[]') + binding('web', ', {kind: ServiceAccount, name: x, namespace: quayside-system}'),
    ],
    ['system:masters', role('[]') + binding('web', ', {kind: Group, name: "system:masters"}')],
    ...[
      '{kind: User, name: "system:serviceaccount:quayside-system:space-1"}',
      '{kind: Group, name: "system:serviceaccounts:quayside-system"}',
      '{kind: Group, name: "system:serviceaccounts"}',
      '{kind: Group, name: "system:serviceaccounts:team-a"}',
      '{kind: User, name: "system:serviceaccount:kube-system:default"}',
      '{kind: Group, name: "system:authenticated"}',
      '{kind: Group, name: "system:unauthenticated"}',
      '{kind: User, name: "system:anonymous"}',
      '{kind: Anybody, name: x}',
    ].map((subject) => [subject, role('[]') + binding('web', `, ${subject}`)] as [string, string]),
    [
      'acting as others in part',
      role('[{apiGroups: [""], resources: [nodes], verbs: ["impersonate-on:user-info:get"]}]'),
    ],
    [
      'acting as a user in part',
      role('[{apiGroups: [authentication.k8s.io], resources: [users], verbs: ["impersonate:*"]}]'),
    ],
    ['a name of Kubernetes', role('[]', '"system:node"')],
    ['a name of the portal', role('[]', '"quayside:deployer-account"')],
    [
      'rights of roles that are gathered',
      `---\n${rbac}\nkind: ClusterRole\nmetadata: {name: a}\naggregationRule: {clusterRoleSelectors: []}\n`,
    ],
    ['rules behind a merge key', role('[{<<: {apiGroups: ["*"], resources: ["*"], verbs: ["*"]}}]')],
    ['rules that are no list', role('{verbs: ["*"]}')],
    ['a rule that is no object', role('["*"]')],
    ['verbs that are no texts', role('[{apiGroups: [""], resources: [nodes], verbs: [get, 5]}]')],
    ['resources that are one text', role('[{apiGroups: [""], resources: nodes, verbs: [get]}]')],
    ['bytes that Helm reads as text', role('[{apiGroups: [""], resources: [nodes], verbs: [get, !!binary Kg==]}]')],
    ['a name that is not known', `---\n${rbac}\nkind: ClusterRole\nmetadata: {generateName: a}\n`],
    ['an object of the portal', `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: quayside-system}\n`],
    ['a Secret of the cluster', `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: kube-system}\n`],
    ['a pod elsewhere', `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: default}\n`],
    ['the namespace of the space', `apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {a: b}}\n`],
    [
      'a namespace that passes for a space',
      `apiVersion: v1\nkind: Namespace\nmetadata: {name: x, labels: {quayside.io/space: b}}\n`,
    ],
    ['a node', `apiVersion: v1\nkind: Node\nmetadata: {name: a}\n`],
    [
      'a service with an external address',
      `apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: other}\nspec: {externalIPs: [10.0.0.1]}\n`,
    ],
    [
      'rights in kube-system',
      `---\n${rbac}\nkind: Role\nmetadata: {name: a, namespace: kube-system}\nrules: [{apiGroups: [""], resources: [configmaps], verbs: [update]}]\n`,
    ],
  ])('%s', (_, manifest) => {
    expect(whyNot(manifest)).toContainEqual(expect.any(String))
  })

  it('what belongs to another space or another release', () => {
    const secret = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: team-b}\n`
    const said = (['space', 'missing'] as const).map(
      (owner) => whyNot(secret, { namespaces: new Map([['team-b', owner]]) })[0],
    )
    expect(said[0]).toContain('no namespace team-b')
    expect(said[1]).toBe(said[0])
    const existing = new Map([['rbac.authorization.k8s.io/ClusterRole//web', { of: 'the release db in team-b' }]])
    expect(whyNot(role('[]'), { existing })[0]).toContain('the release db in team-b')
  })

  it.each([
    '{kind: ServiceAccount, name: default, namespace: team-b}',
    '{kind: User, name: "system:serviceaccount:team-b:default"}',
  ])('accounts of another space: %s', (subject) => {
    const namespaces = new Map([['team-b', 'space' as const]])
    expect(whyNot(role('[]') + binding('web', `, ${subject}`), { namespaces }).at(-1)).toContain('another space')
  })

  it('a binding in the space that lets others in than its accounts', () => {
    const inSpace = (subjects: string) =>
      `---\n${rbac}\nkind: RoleBinding\nmetadata: {name: a}\nroleRef: {kind: ClusterRole, name: "quayside:deployer"}\nsubjects: [${subjects}]\n`
    const own = ['{kind: ServiceAccount, name: a}', '{kind: ServiceAccount, name: b, namespace: team-a}']
    const others = [
      '{kind: User, name: ines}',
      '{kind: Group, name: x}',
      '{kind: ServiceAccount, name: a, namespace: b}',
    ]
    expect(whyNot(inSpace(own.join(', ')))).toEqual([])
    for (const other of others)
      expect(whyNot(inSpace([...own, other].join(', ')), { namespaces: new Map([['team-a', 'space']]) })).toEqual([
        expect.any(String),
      ])
  })

  it('a role that is there already and gives too much', () => {
    const rules: Fields[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
    const roles = new Map([['rbac.authorization.k8s.io/ClusterRole//there', rules]])
    expect(whyNot(binding('there'), { roles })[0]).toContain('there gives too much')
  })
})

describe('somebody can be asked for', () => {
  const reading = '[{apiGroups: [""], resources: [secrets], verbs: [get, list]}]'

  it('a role, which is told in words, and its binding, which elevates', () => {
    const [one, other] = judged(role(reading) + binding('web'))
    expect(one).toMatchObject({ never: null, elevates: false })
    expect(one?.grants[0]).toBe('read Secrets in every namespace')
    expect(other).toMatchObject({ never: null, elevates: true })
    expect(other?.grants).toContain('gives the account web of this space the role web')
    expect(other?.grants).toContain('read Secrets in every namespace')
  })

  it('a role of its own whose name begins as those of Kubernetes do, and no role that is there so', () => {
    const own = (name: string) => role(reading, name) + binding(name, '', name)
    expect(whyNot(own('system:metrics-server'))).toEqual([null, null])
    for (const name of ['system:kube-scheduler', 'system:image-puller', 'quayside:manager', 'view'])
      expect(whyNot(own(name))).toEqual([expect.stringContaining('one of Kubernetes'), expect.any(String)])
    const roles = new Map([['rbac.authorization.k8s.io/ClusterRole//system:metrics-server', [{ verbs: ['get'] }]]])
    expect(whyNot(binding('system:metrics-server'), { roles })[0]).toContain('is not given to apps')
  })

  it('a role in another namespace, but for the names that the portal gives', () => {
    const there = (name: string) =>
      role('[]', `${name}, namespace: other`).replace('ClusterRole', 'Role') +
      binding('web', '', `${name}, namespace: other`).replaceAll('ClusterRole', 'Role')
    const around = { namespaces: new Map([['other', 'other' as const]]) }
    expect(whyNot(there('web'), around)).toEqual([null, null])
    expect(whyNot(there('"quayside:action:1"'), around)).toEqual(
      Array(2).fill(expect.stringContaining('of the portal')),
    )
  })

  it.each(['rbac.authorization.k8s.io/aggregate-to-view', 'rbac.example.com/aggregate-to-monitoring'])(
    'a role that %s, by an approval alone, since it gives others rights everywhere',
    (label) => {
      const manifest = role(reading).replace('{name: web}', `{name: web, labels: {${label}: "true"}}`)
      const [one] = judged(manifest)
      expect(one).toMatchObject({ never: null, elevates: true, isForAll: true })
      expect(one?.grants[0]).toContain('adds this to what the role')
      expect(one?.digest).not.toBe(judged(role(reading))[0]?.digest)
    },
  )

  it('a role that another one gathers by whatever label, by an approval alone, which counts for that role', () => {
    const manifest = role(reading).replace(
      '{name: web}',
      '{name: web, labels: {serving.example.com/controller: "true"}}',
    )
    const gathers = (name: string) => {
      const selectors = [{ matchLabels: { 'serving.example.com/controller': 'true' } }]
      return { gatherers: [{ name, namespace: null, selectors, labels: {} }] }
    }
    const [plain] = judged(manifest)
    const [one] = judged(manifest, gathers('serving'))
    expect(plain).toMatchObject({ never: null, elevates: false, isForAll: false })
    expect(one).toMatchObject({ never: null, elevates: true, isForAll: true })
    expect(one?.grants[0]).toBe('adds this to what the role serving gives')
    const digests = [plain, one, judged(manifest, gathers('another'))[0]].map((each) => each?.digest)
    expect(new Set(digests).size).toBe(3)
  })

  it('what recognises the API server, and leases, in kube-system', () => {
    const reader = `---\n${rbac}\nkind: RoleBinding\nmetadata: {name: a, namespace: kube-system}\nroleRef: {kind: Role, name: extension-apiserver-authentication-reader}\nsubjects: []\n`
    const roles = new Map([
      ['rbac.authorization.k8s.io/Role/kube-system/extension-apiserver-authentication-reader', [{ verbs: ['get'] }]],
    ])
    const leases = `---\n${rbac}\nkind: Role\nmetadata: {name: b, namespace: kube-system}\nrules: [{apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [web], verbs: ["*"]}]\n`
    const namespaces = new Map([['kube-system', 'cluster' as const]])
    expect(whyNot(reader + leases, { roles, namespaces })).toEqual([null, null])
  })

  it.each([
    ['globalDefault: true', true],
    ['globalDefault: yes', true],
    ['globalDefault: false', false],
    ['value: 5', true],
    ['value: "-5"', true],
    ['value: 0\nglobalDefault: false', false],
    ['value: -5', false],
    ['preemptionPolicy: Never\nvalue: 5', true],
    ['preemptionPolicy: Never\nvalue: 0', false],
    ['preemptionPolicy: Never\nglobalDefault: true', true],
  ])('a class with %s, for all: %s', (more, isForAll) => {
    const manifest = `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: a}\n${more}\n`
    expect(judged(manifest)).toMatchObject([{ never: null, isForAll }])
  })

  it.each([
    ['ValidatingAdmissionPolicy', 'paramKind: {apiVersion: v1, kind: ConfigMap}', true],
    ['MutatingAdmissionPolicyBinding', 'paramRef: {name: a, namespace: team-a, parameterNotFoundAction: Deny}', true],
    ['MutatingAdmissionPolicy', 'failurePolicy: Fail', false],
  ])('a %s with %s is set up by what others write: %s', (kind, more, isSetUp) => {
    const manifest = `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: a}\nspec: {${more}}\n`
    expect(judged(manifest)).toMatchObject([{ never: null, isForAll: isSetUp, elevates: isSetUp }])
  })

  it.each([
    ['VolumeSnapshotClass', 'snapshot.storage.k8s.io/v1', 'snapshotter-secret-namespace'],
    ['VolumeGroupSnapshotClass', 'groupsnapshot.storage.k8s.io/v1', 'group-snapshotter-secret-namespace'],
    ['VolumeAttributesClass', 'storage.k8s.io/v1', 'modify-secret-namespace'],
  ])('a %s draws on no Secret of another space', (kind, apiVersion, parameter) => {
    const reading = (namespace: string) =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nparameters: {csi.storage.k8s.io/${parameter}: ${namespace}}\n`
    const namespaces = new Map([['team-b', 'space' as const]])
    expect(whyNot(reading('team-b'), { namespaces })).toEqual([
      expect.stringContaining('would read a Secret of the namespace team-b'),
    ])
  })

  it.each([
    ['csi: {driver: d, nodePublishSecretRef: {name: s, namespace: NAME}}'],
    ['cephfs: {secretRef: {name: s, namespace: NAME}}'],
    ['azureFile: {secretName: s, secretNamespace: NAME}'],
  ])('a volume with %s draws on no Secret of another space', (source) => {
    const reading = (namespace: string) =>
      `apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: a}\nspec: {${source.replace('NAME', namespace)}}\n`
    const namespaces = new Map([
      ['team-b', 'space' as const],
      ['storage', 'other' as const],
    ])
    const found = ['team-b', 'kube-system', 'storage', 'team-a'].flatMap((name) =>
      judged(reading(name), { namespaces }),
    )
    expect(found.map(({ never, isForAll, elevates }) => [never === null, isForAll, elevates])).toEqual([
      [false, true, true],
      [false, true, true],
      [true, true, true],
      [true, false, true],
    ])
  })

  it.each([
    ['GatewayClass', 'gateway.networking.k8s.io/v1', 'parametersRef', true],
    ['IngressClass', 'networking.k8s.io/v1', 'parameters', true],
    ['IngressClass', 'networking.k8s.io/v1', 'parametersRef', false],
  ])('a %s of %s with %s is for all: %s', (kind, apiVersion, field, isForAll) => {
    const manifest = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: {controller: x.io/a, ${field}: {kind: Settings, name: own}}\n`
    expect(judged(manifest)).toMatchObject([{ never: null, isForAll }])
  })

  it('a definition that others brought is left as it is', () => {
    const crd = `# Source: a/crds/x.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.x.io}\nspec: {group: x.io, names: {kind: Thing, plural: things}}\n`
    const existing = new Map([['apiextensions.k8s.io/CustomResourceDefinition//things.x.io', { of: 'somebody else' }]])
    expect(judged(crd, { existing })).toEqual([])
    expect(judged(crd)).toMatchObject([{ never: null, elevates: false }])
  })
})

describe('two objects give the same', () => {
  const hook = (bundle: string, url = 'https://a') =>
    `apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: h}\nwebhooks: [{name: a, clientConfig: {caBundle: ${bundle}, url: "${url}"}}]\n`
  const digest = (manifest: string) => judged(manifest).at(-1)?.digest

  it('with another certificate, and not with another address', () => {
    expect(digest(hook('a'))).toBe(digest(hook('b')))
    expect(digest(hook('a'))).not.toBe(digest(hook('a', 'https://b')))
  })

  it('only with the same rules, also those of the role that is bound', () => {
    expect(digest(role('[{verbs: [get]}]'))).not.toBe(digest(role('[{verbs: [list]}]')))
    expect(digest(role('[{verbs: [get]}]') + binding('web'))).not.toBe(
      digest(role('[{verbs: [list]}]') + binding('web')),
    )
  })

  const body = (apiVersion: string, kind: string, more: string, metadata = 'name: a') =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\n${more}\n`
  it.each([
    ['StorageClass', 'storage.k8s.io/v1', 'parameters: {path: /a}', 'parameters: {path: /b}'],
    ['IngressClass', 'networking.k8s.io/v1', 'spec: {controller: a}', 'spec: {controller: b}'],
    ['GatewayClass', 'gateway.networking.k8s.io/v1', 'spec: {controllerName: a}', 'spec: {controllerName: b}'],
    ['PriorityClass', 'scheduling.k8s.io/v1', 'preemptionPolicy: Never', 'preemptionPolicy: PreemptLowerPriority'],
    ['ClusterThing', 'x.io/v1', 'spec: {a: 1}', 'spec: {a: 2}'],
    ['ClusterThing', 'x.io/v1', 'status: {a: 1}', 'status: {a: 2}'],
    [
      'CustomResourceDefinition',
      'apiextensions.k8s.io/v1',
      'spec: {group: x.io, conversion: {strategy: Webhook, webhook: {clientConfig: {url: "https://a"}}}}',
      'spec: {group: x.io, conversion: {strategy: Webhook, webhook: {clientConfig: {url: "https://b"}}}}',
    ],
    ['CustomResourceDefinition', 'apiextensions.k8s.io/v1', 'spec: {scope: Cluster}', 'spec: {scope: Namespaced}'],
  ])('only with the same content: %s', (kind, apiVersion, one, other) => {
    const here = new Map([[`${apiVersion}/${kind}`, false]])
    const of = (more: string) =>
      judgeOutside(
        outsideOf(readManifest(body(apiVersion, kind, more)), { namespace: 'team-a', resourceScopes: here }),
        {
          ...{ namespace: 'team-a', namespaces: new Map(), existing: new Map(), roles: new Map() },
        },
      )[0]?.digest
    expect(of(one)).toEqual(expect.any(String))
    expect(of(one)).toBe(of(one))
    expect(of(one)).not.toBe(of(other))
  })

  it('in another namespace, only with the same content', () => {
    const policy = (ingress: string) =>
      body('networking.k8s.io/v1', 'NetworkPolicy', `spec: {ingress: ${ingress}}`, 'name: a, namespace: b')
    expect(digest(policy('[]'))).not.toBe(digest(policy('[{}]')))
  })

  it('with another schema or version of the chart, and not with another label or annotation', () => {
    const crd = (schema: string) =>
      body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `spec: {versions: [{name: v1, schema: ${schema}}]}`)
    expect(digest(crd('{a: 1}'))).toBe(digest(crd('{a: 2}')))
    const marked = (marks: string) => body('storage.k8s.io/v1', 'StorageClass', '', `name: a, ${marks}`)
    expect(digest(marked('labels: {helm.sh/chart: a-1}'))).toBe(digest(marked('labels: {helm.sh/chart: a-2}')))
    const handedOver = 'annotations: {postrenderer.helm.sh/postrender-filename: templates/a.yaml}'
    expect(digest(marked(handedOver))).toBe(digest(marked('annotations: {}')))
    expect(digest(marked('labels: {a: b}'))).not.toBe(digest(marked('labels: {a: c}')))
    expect(digest(marked('annotations: {a: b}'))).not.toBe(digest(marked('annotations: {a: c}')))
  })
})
