/** Short names of the clients that hold roles; the full id is `quayside-portal-ui-{section}`. */
export const sections = [
  'apps',
  'spaces',
  'dashboards',
  'catalog-apps',
  'catalog-nodes',
  'catalog-flows',
  'clusters',
  'iam-users',
  'iam-groups',
  'iam-roles',
  'iam-policies',
  'iam-loginsettings',
] as const
export type Section = (typeof sections)[number]

export const mainClient = 'quayside-portal-ui'
export function clientOf(section: Section): string {
  return `${mainClient}-${section}`
}

/**
 * The resource roles of the specification, each on the client of its section, and `spaces.manage` and `audit.view`, which are
 * ours; every client has `access` too.
 */
export const resourceRoles = {
  apps: ['apps.create'],
  spaces: ['spaces.manage'],
  dashboards: [],
  'catalog-apps': [
    'catalog.view',
    'catalog.deployments.view',
    'catalog.deploy',
    'catalog.deployments.manage',
    'catalog.publish',
    'catalog.apps.deploy.infrastructure.yaml',
  ],
  'catalog-nodes': [],
  'catalog-flows': [],
  clusters: [
    'clusters.create',
    'clusters.edit',
    'clusters.delete',
    'clusters.view',
    'clusters.events.view',
    'clusters.deregister',
  ],
  'iam-users': [
    'users.create',
    'users.delete',
    'users.view',
    'users.edit',
    'users.attributes.view',
    'users.attributes.manage',
    'users.credentials.view',
    'users.credentials.manage',
    'users.roles.view',
    'users.roles.manage',
    'users.groups.view',
    'users.groups.manage',
    'users.consents.view',
    'users.sessions.view',
  ],
  'iam-groups': [
    'groups.create',
    'groups.delete',
    'groups.view',
    'groups.edit',
    'groups.attributes.view',
    'groups.attributes.manage',
    'groups.roles.view',
    'groups.roles.manage',
    'groups.default_groups.view',
    'groups.default_groups.manage',
  ],
  'iam-roles': [
    'roles.create',
    'roles.delete',
    'roles.view',
    'roles.edit',
    'roles.attributes.view',
    'roles.attributes.manage',
    'roles.default_roles.view',
    'roles.default_roles.manage',
  ],
  'iam-policies': ['policies.view', 'policies.edit'],
  'iam-loginsettings': ['loginsettings.view', 'loginsettings.edit', 'audit.view'],
} as const satisfies Record<Section, readonly string[]>

/** The roles that a section's client knows. */
export type RoleOf<S extends Section> = 'access' | (typeof resourceRoles)[S][number]
/** A role as questions name it: `clusters:clusters.edit`. */
export type RoleId = { [S in Section]: `${S}:${RoleOf<S>}` }[Section]
/** A role on the client of a section. */
export type RoleRef = { [S in Section]: { section: S; role: RoleOf<S> } }[Section]

/** Every role of every section, in the order of the navigation. */
export const allRoles: readonly RoleRef[] = sections.flatMap((section) =>
  ['access', ...resourceRoles[section]].map((role) => ({ section, role }) as RoleRef),
)

/** The name of a role in a question: `clusters:clusters.edit`. */
export function roleIdOf({ section, role }: RoleRef): RoleId {
  return `${section}:${role}` as RoleId
}

/** The role that a question names, such as `clusters:clusters.edit`; undefined when no section has it. */
export function roleOfId(id: string): RoleRef | undefined {
  return allRoles.find((ref) => roleIdOf(ref) === id)
}

/** How tokens and permission lists name a role: `quayside-portal-ui-apps:access`. */
export function roleName({ section, role }: RoleRef): string {
  return `${clientOf(section)}:${role}`
}

const teamSections: readonly Section[] = [
  'apps',
  'spaces',
  'dashboards',
  'catalog-apps',
  'catalog-nodes',
  'catalog-flows',
]
const operatedSections: readonly Section[] = [...teamSections, 'clusters']

const withheldFromOperators: readonly RoleRef[] = [
  { section: 'catalog-apps', role: 'catalog.publish' },
  { section: 'clusters', role: 'clusters.create' },
  { section: 'clusters', role: 'clusters.edit' },
  { section: 'clusters', role: 'clusters.delete' },
  { section: 'clusters', role: 'clusters.deregister' },
]
const givenToMembers: readonly RoleRef[] = [
  { section: 'catalog-apps', role: 'catalog.view' },
  { section: 'catalog-apps', role: 'catalog.apps.deploy.infrastructure.yaml' },
]

function isAmong(list: readonly RoleRef[], { section, role }: RoleRef): boolean {
  return list.some((each) => each.section === section && each.role === role)
}

/** Realm roles that a tenant starts with: which sections they open and which resource roles they hold there. */
export const realmRoles = {
  'quayside-admin': { description: 'Everything in this tenant', holds: () => true },
  'quayside-operator': {
    description: 'Sees every space, deploys and operates apps in them, and manages them',
    holds: (ref) => operatedSections.includes(ref.section) && !isAmong(withheldFromOperators, ref),
  },
  'quayside-viewer': {
    description: 'Sees every space with its apps, the catalog and clusters',
    holds: ({ section, role }) => operatedSections.includes(section) && (role === 'access' || role.endsWith('.view')),
  },
  'quayside-member': {
    description: 'Works in teams: sees and does what their spaces allow',
    holds: (ref) => teamSections.includes(ref.section) && (ref.role === 'access' || isAmong(givenToMembers, ref)),
  },
} as const satisfies Record<string, { description: string; holds: (ref: RoleRef) => boolean }>
