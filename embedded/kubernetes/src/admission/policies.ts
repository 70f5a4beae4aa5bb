import { forbidden, KubeError } from '../api-error.ts'
import type { Access } from '../auth/access.ts'
import type { Identity } from '../auth/identity.ts'
import { Authorizer } from '../expressions/authorizer.ts'
import { celValue, compile, type Outcome } from '../expressions/cel.ts'
import { matchesLabels, selectorRequirements } from '../machinery/selectors.ts'
import type { KubeObject, ObjectMeta, ObjectStore } from '../object-store.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { type Doc, docOf, listOf, textOf } from '../store/doc.ts'

const GROUP = 'admissionregistration.k8s.io'
const POLICIES = `${GROUP}/validatingadmissionpolicies` as const
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings` as const

/** A write or deletion that is about to happen, and its sender. */
export interface Attempt {
  type: ResourceType
  /** The object as it is to be; nothing when it is to go. */
  object?: KubeObject
  old?: KubeObject
  subresource?: string
  identity: Identity
}

const CODES: Record<string, number> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 }

const takes = (list: unknown, value: string) => listOf(list).includes('*') || listOf(list).includes(value)

const operationOf = ({ object, old }: Attempt) => (!object ? 'DELETE' : old ? 'UPDATE' : 'CREATE')

const metadataOf = ({ object, old }: Attempt): Partial<ObjectMeta> => (object ?? old)?.metadata ?? {}

function ruleMatches(rule: Doc, attempt: Attempt): boolean {
  const { type, subresource } = attempt
  const resource = subresource ? `${type.plural}/${subresource}` : type.plural
  const scope = textOf(rule.scope) || '*'
  const names = listOf(rule.resourceNames)
  return (
    takes(rule.operations, operationOf(attempt)) &&
    takes(rule.apiGroups, type.group) &&
    takes(rule.apiVersions, type.version) &&
    (takes(rule.resources, resource) || listOf(rule.resources).includes('*/*')) &&
    (scope === '*' || (scope === 'Namespaced') === type.namespaced) &&
    (names.length === 0 || names.includes(metadataOf(attempt).name ?? ''))
  )
}

const selects = (selector: unknown, labels: Record<string, string> | undefined): boolean =>
  matchesLabels(labels, selectorRequirements(docOf(selector)))

function constraintsMatch(constraints: Doc, attempt: Attempt, home: KubeObject | undefined): boolean {
  const { resourceRules, excludeResourceRules, namespaceSelector, objectSelector } = constraints
  const rules = listOf(resourceRules).map(docOf)
  if (rules.length > 0 && !rules.some((rule) => ruleMatches(rule, attempt))) return false
  if (listOf(excludeResourceRules).some((rule) => ruleMatches(docOf(rule), attempt))) return false
  if (home && !selects(namespaceSelector, home.metadata.labels)) return false
  return [attempt.object, attempt.old].some((one) => one && selects(objectSelector, one.metadata.labels))
}

function requestOf(attempt: Attempt): Doc {
  const { type, object, subresource, identity } = attempt
  const { group, version, plural } = type
  const kind = object?.kind ?? type.kind
  const { name = '', namespace = '' } = metadataOf(attempt)
  return {
    kind: { group, version, kind },
    resource: { group, version, resource: plural },
    subResource: subresource ?? '',
    operation: operationOf(attempt),
    name,
    namespace,
    userInfo: {
      username: identity.user,
      groups: identity.groups,
      uid: identity.uid ?? '',
      extra: identity.extra ?? {},
    },
  }
}

/** Values that a policy names are worked out when an expression first asks for them. */
function lazily(variables: readonly Doc[], all: Doc): Doc {
  const made: Doc = {}
  for (const { name, expression } of variables) {
    Object.defineProperty(made, textOf(name), {
      enumerable: true,
      configurable: true,
      get() {
        const outcome = evaluate(textOf(expression), all)
        if ('problem' in outcome) throw new Error(outcome.problem)
        Object.defineProperty(made, textOf(name), { value: outcome.value, enumerable: true })
        return outcome.value
      },
    })
  }
  return made
}

function evaluate(source: string, variables: Doc): Outcome {
  const expression = compile(source)
  return 'run' in expression ? expression.run(variables) : expression
}

interface Verdict {
  message: string
  reason: string
}

/** Reasons for which a policy denies an attempt; empty when it allows the attempt or does not match it. */
function judge(policy: Doc, variables: Doc): Verdict[] {
  const fails = textOf(policy.failurePolicy) !== 'Ignore'
  const failed = (problem: string): Verdict[] => (fails ? [{ message: problem, reason: 'Invalid' }] : [])
  for (const condition of listOf(policy.matchConditions).map(docOf)) {
    const outcome = evaluate(textOf(condition.expression), variables)
    if ('problem' in outcome) return failed(`matchCondition '${condition.name}' resulted in error: ${outcome.problem}`)
    if (outcome.value !== true) return []
  }
  return listOf(policy.validations).flatMap((each) => {
    const { expression, message, messageExpression, reason } = docOf(each)
    const source = textOf(expression).trim()
    const outcome = evaluate(source, variables)
    if ('problem' in outcome) return failed(`expression '${source}' resulted in error: ${outcome.problem}`)
    if (outcome.value === true) return []
    const made = messageExpression ? evaluate(textOf(messageExpression), variables) : undefined
    const said = made && 'value' in made && typeof made.value === 'string' ? made.value : textOf(message)
    return [{ message: said || `failed expression: ${source}`, reason: textOf(reason) || 'Invalid' }]
  })
}

function paramsOf(store: ObjectStore, types: readonly ResourceType[], policy: Doc, binding: Doc, home?: string) {
  const { apiVersion, kind } = docOf(policy.paramKind)
  const { name, namespace } = docOf(binding.paramRef)
  if (!kind || !name) return null
  const type = types.find(
    (one) => one.kind === kind && (one.group ? `${one.group}/${one.version}` : one.version) === apiVersion,
  )
  const place = type?.namespaced ? textOf(namespace) || home : undefined
  return (type && store.get(type.storage, place, textOf(name))) ?? null
}

function denial(attempt: Attempt, why: string, { message, reason }: Verdict): KubeError {
  const about = { group: attempt.type.group, resource: attempt.type.plural }
  const refusal = forbidden(about, metadataOf(attempt).name ?? '', `${why} denied request: ${message}`)
  return new KubeError(CODES[reason] ?? 422, reason, refusal.message, {
    ...refusal.details,
    causes: [{ message: `${why} denied request: ${message}` }],
  })
}

interface InForce {
  policies: readonly KubeObject[]
  bindings: readonly KubeObject[]
}

/**
 * The policies of a cluster as they are in force.
 * @param allows answers what expressions ask of rights
 * @param afterMs time that a change takes until it counts: a real API server has to hear of it and to compile it
 */
export function createPolicies(store: () => ObjectStore, allows: Access['allows'], afterMs: number) {
  const written = (): InForce => ({ policies: store().list(POLICIES), bindings: store().list(BINDINGS) })
  let former: InForce | undefined
  let until = 0
  const inForce = () => (former && Date.now() < until ? former : written())

  return {
    /** Throws the first denial, and returns what the policies only warn of. */
    ask(types: readonly ResourceType[], attempt: Attempt): string[] {
      if (attempt.type.group !== GROUP) return askPolicies({ store: store(), ...inForce(), types, allows }, attempt)
      former = inForce()
      until = Date.now() + afterMs
      return []
    },
  }
}

interface Asked extends InForce {
  store: ObjectStore
  types: readonly ResourceType[]
  allows: Access['allows']
}

function askPolicies({ store, policies, bindings, types, allows }: Asked, attempt: Attempt): string[] {
  if (bindings.length === 0) return []
  const { namespace } = metadataOf(attempt)
  const home = namespace ? store.get('/namespaces', undefined, namespace) : undefined
  const warnings: string[] = []
  for (const bound of bindings) {
    const binding = docOf(bound.spec)
    const found = policies.find(({ metadata }) => metadata.name === binding.policyName)
    const policy = docOf(found?.spec)
    if (!found || !constraintsMatch(docOf(policy.matchConstraints), attempt, home)) continue
    if (!constraintsMatch(docOf(binding.matchResources), attempt, home)) continue
    const variables: Doc = {
      object: celValue(attempt.object ?? null),
      oldObject: celValue(attempt.old ?? null),
      request: celValue(requestOf(attempt)),
      namespaceObject: celValue(home ?? null),
      params: celValue(paramsOf(store, types, policy, binding, namespace)),
      authorizer: new Authorizer((wanted) => allows(attempt.identity, wanted)),
    }
    variables.variables = lazily(listOf(policy.variables).map(docOf), variables)
    const why = `ValidatingAdmissionPolicy '${found.metadata.name}' with binding '${bound.metadata.name}'`
    for (const verdict of judge(policy, variables)) {
      const actions = listOf(binding.validationActions)
      if (actions.includes('Deny')) throw denial(attempt, why, verdict)
      if (actions.includes('Warn')) warnings.push(`Validation failed for ${why}: ${verdict.message}`)
    }
  }
  return warnings
}
