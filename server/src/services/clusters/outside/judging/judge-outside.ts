import type { OutsideObject } from '@quayside/contract/clusters/rules'
import { portalNamespace } from '../../../../adapters/kubernetes/space/portal-namespace.ts'
import type { PolicyRule } from '../../../../adapters/kubernetes/space/space-rules.ts'
import { areObjects, type Fields, fieldsOf, listOf, textOf } from '../../workloads/fields.ts'
import { cleanText } from '../../workloads/foreign-text.ts'
import { keyOf, type OutsideOfManifest } from '../outside-objects.ts'
import { isNameOfPortal, isReservedName } from '../reserved-names.ts'
import { type Subject, subjectsOf, whyNotGivenTo } from '../subjects.ts'
import { policyThat } from './admission-policies.ts'
import { classes } from './classes.ts'
import { contentOf, definedBy, marksOf } from './content.ts'
import { dangersIn, isClusters, notInClusters, overControlPlane } from './control-plane.ts'
import { whyNotDefined } from './defined-kinds.ts'
import { digestOf } from './digest.ts'
import { addsTo, type Gatherer } from './gatherers.ts'
import { forbiddenIn, rightsInWords, rulesOf, unclearRules } from './rights-in-rules.ts'

/** Owner of a namespace: another space, the cluster itself, nobody the portal knows; `missing`: not there yet. */
export type NamespaceOwner = 'space' | 'cluster' | 'other' | 'missing'

/** Facts about a cluster that are needed to judge the objects of a release there. */
export interface Surroundings {
  namespace: string
  namespaces: ReadonlyMap<string, NamespaceOwner>
  /** Owner of each object that exists already, by its key: this release, or another owner in words. */
  existing: ReadonlyMap<string, 'own' | { of: string }>
  /** Rules of the roles that are there already, by their key. */
  roles: ReadonlyMap<string, readonly Fields[]>
  /** Bindings of others to roles that the release would change or make, by the key of the role. */
  holders?: ReadonlyMap<string, readonly Holder[]>
  /** Roles of the cluster that gather others; read where the release brings a cluster role. */
  gatherers?: readonly Gatherer[]
  /** Keys of roles that actions are changing at this moment. */
  changing?: ReadonlySet<string>
}

/** A binding in words, and where it is: null in the whole cluster. */
export interface Holder {
  words: string
  namespace: string | null
}

/** An outside object with what it gives. */
export interface Judged extends OutsideObject {
  group: string
  /** More of what it gives, which names what is in the namespaces of others: for who looks after the cluster. */
  elsewhere: string[]
  /** Digest of everything that the object gives; two objects with the same digest give the same. */
  digest: string
  /** Why no list and no approval lets it be; null when somebody can be asked. */
  never: string | null
  /** It changes what others get who choose nothing: no list lets it be, only an approval. */
  isForAll: boolean
  isHook: boolean
  /** Made by the portal, once. */
  isDefinitionFile: boolean
  /** Read from where people of the space can write: no entry of the list for one item or publisher counts. */
  isStored?: boolean
  /** It lies in the space, and its action is lent these rights there, on API groups that nothing serves. */
  lent?: PolicyRule[]
  source?: string
}

interface Gives {
  /** The content that the digest is taken of. */
  content: unknown
  grants?: string[]
  elsewhere?: string[]
  elevates?: boolean
  never?: string | undefined
  isForAll?: boolean
}

const rbac = 'rbac.authorization.k8s.io'
const podKinds = new Set(
  'Pod Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job CronJob PodTemplate'.split(' '),
)
/** Roles of Kubernetes that do harmless things, and that charts bind. */
const bindable = new Set(['view', 'system:auth-delegator', 'system:discovery', 'system:public-info-viewer'])

/** Judges each outside object of a manifest: what it gives, whether it elevates, whether it never may be. */
export function judgeOutside(outside: readonly OutsideOfManifest[], around: Surroundings): Judged[] {
  const made = new Map(
    outside.flatMap(({ object, group, namespace }) =>
      object.kind === 'ClusterRole' || object.kind === 'Role'
        ? [[keyOf({ group, kind: object.kind, namespace, name: object.name }), rulesOf(object.body)] as const]
        : [],
    ),
  )
  const roles = new Map([...around.roles, ...made])
  const madeHere = new Set(made.keys())
  return outside.flatMap((one) => {
    const taken = around.existing.get(keyOf({ ...one, kind: one.object.kind, name: one.object.name }))
    // Helm leaves definitions of that folder as they are when they are there.
    if (one.isDefinitionFile && taken !== undefined) return []
    return [judge(one, taken, { ...around, roles, madeHere })]
  })
}

function judge(one: OutsideOfManifest, taken: 'own' | { of: string } | undefined, around: Around): Judged {
  const { object, group, namespace, isHook } = one
  const { apiVersion, kind, name, source } = object
  const gives = (kinds[`${group}/${kind}`] ?? plainly)(object.body, { one, around })
  const never =
    nameless(one) ??
    foreign(one, around) ??
    (taken && taken !== 'own' ? `it is there already and belongs to ${taken.of}` : undefined) ??
    gives.never
  return {
    apiVersion: cleanText(apiVersion, 300),
    group,
    kind: cleanText(kind, 100),
    name: cleanText(name, 253),
    namespace,
    elevates: gives.elevates ?? false,
    // An object that nobody may make is not described any further: it can lie where others are.
    grants: never ? [] : sentences(gives.grants),
    elsewhere: never ? [] : sentences(gives.elsewhere),
    digest: digestOf([group, kind, namespace, name, marksOf(object.body), gives.content]),
    never: never ?? null,
    isForAll: gives.isForAll ?? false,
    isHook,
    isDefinitionFile: one.isDefinitionFile,
    ...(source ? { source } : {}),
  }
}

const sentences = (texts: readonly string[] = []) => texts.map((text) => cleanText(text, 600)).slice(0, 60)

/** An object whose name or content Helm could read in another way than we do. */
function nameless({ object }: OutsideOfManifest): string | undefined {
  if (object.unreadable) return 'it is written in a way that cannot be checked'
  const name = fieldsOf(object.body.metadata).name
  if (typeof name !== 'string' || name === '' || name !== object.name) return 'its name is not known before it is made'
  return undefined
}

/** Reasons that lie in where an object is. */
function foreign({ object, namespace, group }: OutsideOfManifest, around: Surroundings): string | undefined {
  const { kind } = object
  const { namespaces } = around
  if (namespace === null || namespace === around.namespace) return undefined
  if (namespace === portalNamespace) return `nothing of a chart may be in ${portalNamespace}, which is the portal's own`
  // Nobody is told that a namespace is there and is another space's, because they may not see that space.
  if (namespaces.get(namespace) === 'space' || namespaces.get(namespace) === 'missing')
    return `there is no namespace ${namespace} that an app of this space may use`
  if (podKinds.has(kind)) return 'pods of an app run in its space alone'
  if (group === '' && (kind === 'Secret' || kind === 'ConfigMap')) return `a ${kind} of an app stays in its space`
  if (!isClusters(namespace)) return undefined
  if (group === rbac && (kind === 'Role' || kind === 'RoleBinding')) return undefined
  if (group === '' && kind === 'Service') return undefined
  return `the namespace ${namespace} is the cluster's own`
}

interface Around extends Surroundings {
  /** Keys of the roles that the release itself brings. */
  madeHere: ReadonlySet<string>
}
interface Context {
  one: OutsideOfManifest
  around: Around
}
type Judge = (body: Fields, context: Context) => Gives

const plainly: Judge = (body, { one }) => ({
  content: contentOf(body),
  grants:
    one.namespace === null ? [] : [`makes ${one.object.kind} ${one.object.name} in the namespace ${one.namespace}`],
})

const never =
  (why: string): Judge =>
  () => ({ content: null, never: why })

const role: Judge = (body, { one, around }) => {
  const { namespace, object, group } = one
  const rules = rulesOf(body)
  const holders = around.holders?.get(keyOf({ group, kind: object.kind, namespace, name: object.name })) ?? []
  const [near, far] = parted(holders, (one) => one.namespace === null || one.namespace === around.namespace)
  const where = namespace === null ? 'every namespace' : `the namespace ${namespace}`
  const adding = addsTo(body, { isWide: namespace === null, name: object.name, around })
  return {
    content: [
      rules,
      fieldsOf(body.aggregationRule),
      ...(holders.length > 0 ? [holders.map(({ words }) => words)] : []),
      ...adding.content,
    ],
    // Holders of the other role get this one with it, in every space; subjects that are bound already have it at once.
    elevates: adding.isAdding || holders.length > 0,
    isForAll: adding.isAdding || holders.length > 0,
    grants: [
      ...near.map(({ words }) => `gives this at once to whom ${words} names`),
      ...(far.length > 0 ? ['gives this at once to whom bindings in other namespaces name'] : []),
      ...adding.grants,
      ...dangersIn(rules, namespace),
      ...rightsInWords(rules, where),
    ],
    elsewhere: [...far.map(({ words }) => `gives this at once to whom ${words} names`), ...adding.elsewhere],
    never:
      reserved(object.name, namespace) ??
      (body.aggregationRule === undefined
        ? undefined
        : 'it gathers rights of other roles, which nobody can judge beforehand') ??
      (areObjects(body.rules) ? forbiddenIn(rules) : unclearRules) ??
      overControlPlane(rules, namespace) ??
      notInClusters(rules, namespace),
  }
}

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function reserved(name: string, namespace: string | null): string | undefined {
  const is = namespace === null ? isReservedName(name) : isNameOfPortal(name)
  return is ? 'this name is one of Kubernetes or of the portal' : undefined
}

const binding: Judge = (body, { one, around }) => {
  const { namespace, object } = one
  const { kind, name } = fieldsOf(body.roleRef)
  const isWide = kind === 'ClusterRole'
  const role = textOf(name)
  const key = keyOf({ group: rbac, kind: textOf(kind), namespace: isWide ? null : namespace, name: role })
  const rules = around.roles.get(key)
  const isMadeHere = around.madeHere.has(key)
  const isChanging = !isMadeHere && (around.changing?.has(key) ?? false)
  const subjects = subjectsOf(body, namespace)
  const where = namespace === null ? 'every namespace' : `the namespace ${namespace}`
  return {
    content: [body.roleRef, subjects, rules ?? null],
    elevates: true,
    grants: [
      `gives ${subjects.map(({ says }) => says(around.namespace)).join(', ') || 'nobody'} the role ${role}`,
      ...dangersIn(rules ?? [], namespace),
      ...rightsInWords(rules ?? [], where),
    ],
    never: whyNotBound({
      ...{ around, role, isWide, isMadeHere, isChanging, namespace, rules, subjects },
      objectName: object.name,
    }),
  }
}

function whyNotBound(asked: {
  around: Surroundings
  role: string
  isWide: boolean
  isMadeHere: boolean
  isChanging: boolean
  namespace: string | null
  objectName: string
  rules: readonly Fields[] | undefined
  subjects: readonly Subject[]
}): string | undefined {
  const { around, role, isWide, isMadeHere, isChanging, namespace, objectName, rules, subjects } = asked
  const isTaken = reserved(objectName, namespace)
  if (isTaken) return isTaken
  if (isWide && role === 'cluster-admin') return 'nobody becomes cluster-admin'
  const isReserved = isReservedName(role) || (role.startsWith('system:') && !isMadeHere)
  if (isWide && isReserved && !bindable.has(role)) return `the role ${role} is not given to apps`
  const whyNotThem = whyNotGivenTo(subjects, around)
  if (whyNotThem) return whyNotThem
  if (namespace === around.namespace) return 'it gives others than the accounts of this space rights in it'
  if (!rules) return `the role ${role} is not there, so nobody can tell what it gives`
  if (isChanging) return `another action is changing the role ${role} at this moment`
  const why = forbiddenIn(rules) ?? overControlPlane(rules, namespace)
  if (why) return `the role ${role} gives too much: ${why}`
  const isReader = !isWide && role === 'extension-apiserver-authentication-reader'
  return isReader ? undefined : notInClusters(rules, namespace)
}

const webhooks: Judge = (body) => {
  const hooks = listOf(body.webhooks)
  // Charts make the certificate of their webhooks anew each time.
  const content = hooks.map(({ clientConfig, ...rest }) => {
    const { caBundle: _, ...where } = fieldsOf(clientConfig)
    return { ...rest, clientConfig: where }
  })
  return {
    content,
    elevates: true,
    grants: hooks.flatMap((hook) => {
      const about = listOf(hook.rules).map(({ resources, operations }) => `${words(operations)} of ${words(resources)}`)
      return [`is asked by the cluster, and sees what is written: ${about.join('; ') || 'nothing'}`]
    }),
  }
}

const definition: Judge = (body) => {
  const spec = fieldsOf(body.spec)
  const conversion = fieldsOf(spec.conversion)
  const isAsked = conversion.strategy === 'Webhook'
  return {
    content: definedBy(spec),
    elevates: isAsked,
    grants: [
      `defines the kind ${textOf(fieldsOf(spec.names).kind)} of ${textOf(spec.group)}`,
      ...(isAsked ? ['reads and changes every object of this kind in the cluster when its version is converted'] : []),
    ],
    never: whyNotDefined(body),
  }
}

const namespaceItself: Judge = (body, { one, around }) => {
  const { name } = one.object
  const labels = fieldsOf(fieldsOf(body.metadata).labels)
  const isOurs = Object.keys(labels).some((key) => key.startsWith('quayside.io/'))
  const level = textOf(labels['pod-security.kubernetes.io/enforce'])
  return {
    content: contentOf(body),
    grants: [`makes the namespace ${name}${level ? ` with the Pod Security level ${level}` : ''}`],
    never:
      name === around.namespace
        ? 'the namespace of the space is kept by the portal'
        : isOurs || name === portalNamespace || name === 'default' || isClusters(name)
          ? 'this namespace is one of the portal or of the cluster'
          : undefined,
  }
}

const byContent =
  (grants: (body: Fields) => string[], more: Partial<Gives> = {}): Judge =>
  (body) => ({ content: contentOf(body), grants: grants(body), ...more })

const service: Judge = (body) => {
  const { selector, externalIPs, externalName } = fieldsOf(body.spec)
  return {
    content: contentOf(body),
    grants: [
      `leads addresses of its namespace to pods labelled ${JSON.stringify(fieldsOf(selector))}`,
      ...(externalName === undefined ? [] : [`leads whoever asks for it to ${JSON.stringify(externalName)}`]),
    ],
    never: externalIPs === undefined ? undefined : 'its external addresses draw the traffic of others to it',
  }
}

const admission = 'admissionregistration.k8s.io'
const kinds: Readonly<Record<string, Judge>> = {
  [`${rbac}/ClusterRole`]: role,
  [`${rbac}/Role`]: role,
  [`${rbac}/ClusterRoleBinding`]: binding,
  [`${rbac}/RoleBinding`]: binding,
  [`${admission}/MutatingWebhookConfiguration`]: webhooks,
  [`${admission}/ValidatingWebhookConfiguration`]: webhooks,
  [`${admission}/ValidatingAdmissionPolicy`]: policyThat('refuses'),
  [`${admission}/ValidatingAdmissionPolicyBinding`]: policyThat('refuses'),
  [`${admission}/MutatingAdmissionPolicy`]: policyThat('changes'),
  [`${admission}/MutatingAdmissionPolicyBinding`]: policyThat('changes'),
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'apiregistration.k8s.io/APIService': byContent(
    (body) => [`answers for the API group ${textOf(fieldsOf(body.spec).group)} in the place of the cluster`],
    { elevates: true },
  ),
  '/Namespace': namespaceItself,
  '/Node': never('nodes belong to the cluster'),
  '/Service': service,
  'certificates.k8s.io/CertificateSigningRequest': never('certificates of the cluster are not asked for by charts'),
  ...Object.fromEntries(
    Object.entries(classes).map(([key, given]) => [
      key,
      (body: Fields, { one, around }: Context) => ({
        content: contentOf(body),
        ...given(body, { kind: one.object.kind, name: one.object.name, around }),
      }),
    ]),
  ),
}

/** Kinds that give rights outside of the space, for the words of the list. */
const elevatingKinds = new Set([
  `${rbac}/ClusterRoleBinding`,
  `${rbac}/RoleBinding`,
  `${admission}/MutatingWebhookConfiguration`,
  `${admission}/ValidatingWebhookConfiguration`,
  'apiregistration.k8s.io/APIService',
  '/PersistentVolume',
])

export function isElevatingKind({ group, kind }: { group: string; kind: string }): boolean {
  return elevatingKinds.has(`${group}/${kind}`)
}

/** Kinds that no list of a cluster can hold. */
export function isNeverListed({ group, kind }: { group: string; kind: string }): boolean {
  return ['/Node', 'certificates.k8s.io/CertificateSigningRequest'].includes(`${group}/${kind}`) || podKinds.has(kind)
}

function words(value: unknown): string {
  return Array.isArray(value) ? value.slice(0, 12).map(String).join(', ') : ''
}
