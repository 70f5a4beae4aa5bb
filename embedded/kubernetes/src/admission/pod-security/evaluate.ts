import * as baseline from './baseline-checks.ts'
import type { Judge, PodParts, Violation } from './pod-parts.ts'
import * as restricted from './restricted-checks.ts'
import { unlessUserNamespace, unlessWindows } from './restricted-checks.ts'
import type { Standard } from './standards.ts'

/** A check in the form that it has had since a release. */
interface Form {
  since: number
  judge: Judge
}

interface Check {
  id: string
  /** The check of the baseline in whose place this one is made. */
  replaces?: string
  /** Oldest first. */
  forms: readonly [Form, ...Form[]]
}

const RESERVED_PORTS = 'net.ipv4.ip_local_reserved_ports'
const KEEPALIVE = [
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]
const BUFFERS = ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

/** The checks of both levels, in the order in which their findings are told. */
const BASELINE: readonly Check[] = [
  { id: 'appArmorProfile', forms: [{ since: 0, judge: baseline.appArmorProfile }] },
  { id: 'capabilities', forms: [{ since: 0, judge: baseline.capabilities }] },
  { id: 'hostNamespaces', forms: [{ since: 0, judge: baseline.hostNamespaces }] },
  { id: 'hostPathVolumes', forms: [{ since: 0, judge: baseline.hostPathVolumes }] },
  { id: 'hostPorts', forms: [{ since: 0, judge: baseline.hostPorts }] },
  { id: 'hostsOfProbes', forms: [{ since: 34, judge: baseline.hostsOfProbes }] },
  { id: 'privileged', forms: [{ since: 0, judge: baseline.privileged }] },
  {
    id: 'procMount',
    forms: [
      { since: 0, judge: baseline.procMount },
      { since: 35, judge: baseline.procMountOnTheHost },
    ],
  },
  {
    id: 'seLinuxOptions',
    forms: [
      { since: 0, judge: baseline.seLinuxOptions() },
      { since: 31, judge: baseline.seLinuxOptions('container_engine_t') },
    ],
  },
  {
    id: 'seccompProfile',
    forms: [
      { since: 0, judge: baseline.seccompAnnotations },
      { since: 19, judge: baseline.badSeccompProfiles },
    ],
  },
  {
    id: 'sysctls',
    forms: [
      { since: 0, judge: baseline.sysctls() },
      { since: 27, judge: baseline.sysctls(RESERVED_PORTS) },
      { since: 29, judge: baseline.sysctls(RESERVED_PORTS, ...KEEPALIVE) },
      { since: 32, judge: baseline.sysctls(RESERVED_PORTS, ...KEEPALIVE, ...BUFFERS) },
    ],
  },
  { id: 'hostProcess', forms: [{ since: 0, judge: baseline.hostProcess }] },
]

const RESTRICTED: readonly Check[] = [
  {
    id: 'privilegeEscalation',
    forms: [
      { since: 8, judge: restricted.privilegeEscalation },
      { since: 25, judge: unlessWindows(restricted.privilegeEscalation) },
    ],
  },
  {
    id: 'noCapabilities',
    replaces: 'capabilities',
    forms: [
      { since: 22, judge: restricted.noCapabilities },
      { since: 25, judge: unlessWindows(restricted.noCapabilities) },
    ],
  },
  { id: 'procMountAnywhere', replaces: 'procMount', forms: [{ since: 35, judge: baseline.procMount }] },
  { id: 'volumeTypes', replaces: 'hostPathVolumes', forms: [{ since: 0, judge: restricted.volumeTypes }] },
  {
    id: 'runAsNonRoot',
    forms: [
      { since: 0, judge: restricted.runAsNonRoot },
      { since: 35, judge: unlessUserNamespace(restricted.runAsNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    forms: [
      { since: 23, judge: restricted.runAsUser },
      { since: 35, judge: unlessUserNamespace(restricted.runAsUser) },
    ],
  },
  {
    id: 'seccompRequired',
    replaces: 'seccompProfile',
    forms: [
      { since: 19, judge: restricted.seccompRequired },
      { since: 25, judge: unlessWindows(restricted.seccompRequired) },
    ],
  },
]

const judgeOf = ({ forms }: Check, release: Standard['release']): Judge | undefined =>
  forms.findLast(({ since }) => release === 'latest' || since <= release)?.judge

function judgesOf({ level, release }: Standard): Judge[] {
  if (level === 'privileged') return []
  const strict = level === 'restricted' ? RESTRICTED.filter((check) => judgeOf(check, release)) : []
  const replaced = new Set(strict.map(({ replaces }) => replaces))
  return [...BASELINE.filter(({ id }) => !replaced.has(id)), ...strict].flatMap(
    (check) => judgeOf(check, release) ?? [],
  )
}

/** Everything that a pod has against a standard, in the order in which Kubernetes tells it. */
export const violations = (standard: Standard, pod: PodParts): Violation[] =>
  judgesOf(standard).flatMap((judge) => judge(pod) ?? [])

/** The findings about one pod, with the parts that are to blame. */
export const inDetail = (found: readonly Violation[]): string =>
  found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')

/** The findings that several pods may have in common. */
export const inShort = (found: readonly Violation[]): string => found.map(({ reason }) => reason).join(', ')
