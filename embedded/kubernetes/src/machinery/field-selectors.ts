import { badRequest } from '../api-error.ts'
import type { GroupResource, KubeObject } from '../object-store.ts'
import { docOf } from '../store/doc.ts'

interface FieldTerm {
  field: string
  value: string
  negated: boolean
}

/** Fields besides metadata.name and metadata.namespace that may be selected by, and what unset ones count as. */
const SELECTABLE: Partial<Record<GroupResource, Record<string, string>>> = {
  '/pods': {
    'spec.nodeName': '',
    'spec.restartPolicy': '',
    'spec.schedulerName': '',
    'spec.serviceAccountName': '',
    'spec.hostNetwork': 'false',
    'status.phase': '',
    'status.podIP': '',
    'status.nominatedNodeName': '',
  },
  '/events': {
    'involvedObject.kind': '',
    'involvedObject.namespace': '',
    'involvedObject.name': '',
    'involvedObject.uid': '',
    'involvedObject.apiVersion': '',
    'involvedObject.resourceVersion': '',
    'involvedObject.fieldPath': '',
    reason: '',
    reportingComponent: '',
    source: '',
    type: '',
  },
  '/secrets': { type: '' },
  '/namespaces': { 'status.phase': '' },
  '/nodes': { 'spec.unschedulable': 'false' },
  '/replicationcontrollers': { 'status.replicas': '0' },
  '/services': { 'spec.clusterIP': '', 'spec.type': '' },
  'apps/replicasets': { 'status.replicas': '0' },
  'batch/jobs': { 'status.successful': '0' },
  'certificates.k8s.io/certificatesigningrequests': { 'spec.signerName': '' },
}

/** events.k8s.io calls the same fields by other names. */
const SAME_FIELD: Record<string, string> = { reportingController: 'reportingComponent' }

function valueAt(object: KubeObject, field: string): string | undefined {
  if (field === 'source' && object.kind === 'Event') return String(docOf(object.source).component ?? '')
  if (field === 'status.successful') return String(docOf(object.status).succeeded ?? 0)
  let value: unknown = object
  for (const part of field.split('.')) value = docOf(value)[part]
  return value === undefined || value === null ? undefined : String(value)
}

function parseTerms(source: string): FieldTerm[] {
  return source
    .split(/(?<!\\),/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const match = /^\s*([^=!]+?)(==|!=|=)(.*)$/.exec(part)
      if (!match) throw badRequest(`invalid selector: '${source}'; can't understand '${part}'`)
      const [, field = '', operator, value = ''] = match
      return { field, value: value.replace(/\\([,=\\])/g, '$1'), negated: operator === '!=' }
    })
}

/** A test for the objects that a field selector names; refuses fields that cannot be selected by. */
export function fieldMatcher(
  storage: GroupResource,
  source: string,
  { extra = [], custom = false }: { extra?: readonly string[]; custom?: boolean } = {},
): ((object: KubeObject) => boolean) | undefined {
  const terms = parseTerms(source)
  if (terms.length === 0) return undefined
  const own = SELECTABLE[storage]
  const known = own ?? {}
  const checks = terms.map(({ field: asked, value, negated }) => {
    const field = SAME_FIELD[asked] ?? asked.replace(/^regarding\./, 'involvedObject.')
    const isMeta = field === 'metadata.name' || field === 'metadata.namespace'
    if (!isMeta && !Object.hasOwn(known, field) && !extra.includes(field)) {
      throw badRequest(
        own || custom
          ? `field label not supported: ${asked}`
          : `${JSON.stringify(asked)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
      )
    }
    return (object: KubeObject) => ((valueAt(object, field) ?? known[field] ?? '') === value) !== negated
  })
  return (object) => checks.every((check) => check(object))
}

/** The object's name, when the selector asks for exactly one: watches of a single object need no scan. */
export function selectedName(source: string): string | undefined {
  return parseTerms(source).find(({ field, negated }) => field === 'metadata.name' && !negated)?.value
}
