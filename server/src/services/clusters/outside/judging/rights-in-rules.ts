import { areTexts, type Fields, listOf, textsOf } from '../../workloads/fields.ts'

const rbac = 'rbac.authorization.k8s.io'
const words = (text: string) => text.split(' ')
const writes = words('create update patch delete deletecollection')

interface Right {
  verbs: readonly string[]
  groups: readonly string[]
  resources: readonly string[]
}

/** Tells whether a rule lets any of these verbs be done on any of these resources. */
export function allows(rule: Fields, { verbs, groups, resources }: Right): boolean {
  const has = (held: readonly string[], wanted: readonly string[]) =>
    held.includes('*') || wanted.some((one) => held.includes(one))
  const isNamed = textsOf(rule.resources).some((held) =>
    resources.some((one) => held === '*' || held === one || (held.startsWith('*/') && one.endsWith(held.slice(1)))),
  )
  return isNamed && has(textsOf(rule.verbs), verbs) && has(textsOf(rule.apiGroups), groups)
}

/** Rights with which their holder takes whatever else they like: no list and no approval gives them. */
const forbidden: readonly (readonly [Right, string])[] = [
  [
    { verbs: ['escalate', 'bind'], groups: [rbac], resources: ['roles', 'clusterroles'] },
    'it could give itself every right in the cluster (escalate or bind)',
  ],
  [
    {
      verbs: ['impersonate'],
      groups: ['', 'authentication.k8s.io'],
      resources: words('users groups serviceaccounts userextras uids'),
    },
    'it could act as anybody (impersonate)',
  ],
  [
    { verbs: ['create'], groups: [''], resources: ['serviceaccounts/token'] },
    'it could make tokens of other accounts (serviceaccounts/token)',
  ],
]

const ruleFields = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs']
export const unclearRules = 'its rules are written in a way that cannot be checked'

/** Why nobody gets these rules; undefined when somebody can be asked for them. */
export function forbiddenIn(rules: readonly Fields[]): string | undefined {
  for (const rule of rules) {
    if (!ruleFields.every((field) => areTexts(rule[field]))) return unclearRules
    // Impersonation that is limited to a part of what somebody may do has verbs of its own.
    if (textsOf(rule.verbs).some((verb) => /^impersonate(-on)?:/.test(verb)))
      return 'it could act as others (impersonate)'
    const found = forbidden.find(([right]) => allows(rule, right))
    if (found) return found[1]
    if (signsForTheCluster(rule)) return 'it could sign certificates of the cluster itself'
  }
  return undefined
}

function signsForTheCluster(rule: Fields): boolean {
  const right = { verbs: ['approve', 'sign'], groups: ['certificates.k8s.io'], resources: ['signers'] }
  if (!allows(rule, right)) return false
  const names = textsOf(rule.resourceNames)
  return names.length === 0 || names.some((name) => name.startsWith('kubernetes.io/'))
}

/** Powerful rights, with the words in which the person who decides reads them. */
const telling: readonly (readonly [Right, string])[] = [
  [{ verbs: words('get list watch'), groups: [''], resources: ['secrets'] }, 'read Secrets'],
  [{ verbs: writes, groups: [''], resources: ['secrets'] }, 'change Secrets, and so get tokens of other accounts'],
  [
    {
      verbs: words('create update patch'),
      groups: ['', 'apps', 'batch'],
      resources: words('pods deployments daemonsets statefulsets replicasets jobs cronjobs replicationcontrollers'),
    },
    'start pods, and so act as any account there',
  ],
  [{ verbs: words('get create'), groups: [''], resources: words('pods/exec pods/attach') }, 'run commands in pods'],
  [
    { verbs: words('get create'), groups: [''], resources: ['nodes/proxy'] },
    'reach the agents of nodes, and so run commands in every pod',
  ],
  [
    { verbs: writes, groups: [rbac], resources: words('roles rolebindings clusterroles clusterrolebindings') },
    'give others what it holds',
  ],
  [
    {
      verbs: writes,
      groups: ['admissionregistration.k8s.io'],
      resources: words('mutatingwebhookconfigurations validatingwebhookconfigurations'),
    },
    'change what may be written to the cluster',
  ],
  [{ verbs: writes, groups: [''], resources: ['nodes'] }, 'change nodes'],
  [{ verbs: writes, groups: [''], resources: ['namespaces'] }, 'make and delete namespaces'],
]

const mostRules = 40

/** The rights that rules give, in words; `where` is "every namespace" or the name of one. */
export function rightsInWords(rules: readonly Fields[], where: string): string[] {
  const strong = telling
    .filter(([right]) => rules.some((rule) => allows(rule, right)))
    .map(([, what]) => `${what} in ${where}`)
  const plain = rules.slice(0, mostRules).map((rule) => ruleInWords(rule, where))
  const rest = rules.length - mostRules
  return [...new Set([...strong, ...plain, ...(rest > 0 ? [`${rest} more rules`] : [])])]
}

function ruleInWords(rule: Fields, where: string): string {
  const verbs = list(textsOf(rule.verbs))
  const addresses = textsOf(rule.nonResourceURLs)
  if (addresses.length > 0) return `${verbs} on the addresses ${list(addresses)}`
  const groups = textsOf(rule.apiGroups).filter((group) => group !== '')
  const names = textsOf(rule.resourceNames)
  const of = groups.length > 0 ? ` of ${list(groups)}` : ''
  return `${verbs} on ${list(textsOf(rule.resources))}${of}${names.length > 0 ? ` named ${list(names)}` : ''} in ${where}`
}

const mostNamed = 12

function list(items: readonly string[]): string {
  const shown = items.slice(0, mostNamed).map((one) => (one === '*' ? 'everything (*)' : one))
  return items.length > mostNamed ? `${shown.join(', ')} and ${items.length - mostNamed} more` : shown.join(', ')
}

export const rulesOf = (role: Fields) => listOf(role.rules)
