import { BlockList, isIP } from 'node:net'
import type {
  V1IPBlock,
  V1LabelSelector,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
} from '@kubernetes/client-node'
import { type FieldError, forbiddenField, invalidValue, required, unsupported } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { keyProblem, labelErrors, labelValueProblem } from './names.ts'
import { isPort, portNameProblem } from './pods.ts'

const PROTOCOLS = ['TCP', 'UDP', 'SCTP']
const TYPES = ['Ingress', 'Egress']
const PORT_RULE = 'must be between 1 and 65535, inclusive'
const CIDR_RULE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

function selectorErrors(at: string, selector: V1LabelSelector | undefined): FieldError[] {
  const expressions = (selector?.matchExpressions ?? []).flatMap(({ key, operator, values = [] }, index) => {
    const here = `${at}.matchExpressions[${index}]`
    const errors: FieldError[] = []
    if (operator === 'In' || operator === 'NotIn') {
      const why = "must be specified when `operator` is 'In' or 'NotIn'"
      if (values.length === 0) errors.push(required(`${here}.values`, why))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
      if (values.length > 0) errors.push(forbiddenField(`${here}.values`, why))
    } else errors.push(invalidValue(`${here}.operator`, operator, 'not a valid selector operator'))
    const problem = keyProblem(key)
    if (problem) errors.push(invalidValue(`${here}.key`, key, problem))
    for (const [number, value] of values.entries()) {
      const wrong = labelValueProblem(value)
      if (wrong) errors.push(invalidValue(`${here}.values[${number}]`, value, wrong))
    }
    return errors
  })
  return [...labelErrors(`${at}.matchLabels`, selector?.matchLabels), ...expressions]
}

function portErrors(at: string, { protocol, port, endPort }: V1NetworkPolicyPort): FieldError[] {
  const errors: FieldError[] = []
  const wrongEnd = (why: string) => errors.push(invalidValue(`${at}.endPort`, endPort, why))
  if (protocol && !PROTOCOLS.includes(protocol)) errors.push(unsupported(`${at}.protocol`, protocol, PROTOCOLS))
  if (typeof port === 'number') {
    if (!isPort(port)) errors.push(invalidValue(`${at}.port`, port, PORT_RULE))
    if (endPort === undefined) return errors
    if (endPort < port) {
      // Kubernetes, too, names the value of `port` here.
      errors.push(invalidValue(`${at}.endPort`, port, 'must be greater than or equal to `port`'))
    }
    if (!isPort(endPort)) wrongEnd(PORT_RULE)
    return errors
  }
  if (endPort !== undefined) {
    wrongEnd(`may not be specified when \`port\` is ${port === undefined ? 'not specified' : 'non-numeric'}`)
  }
  const problem = port === undefined ? undefined : portNameProblem(String(port))
  if (problem) errors.push(invalidValue(`${at}.port`, port, problem))
  return errors
}

interface Cidr {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

function cidrOf(text: string): Cidr | undefined {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const version = isIP(address)
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128)) return undefined
  return { address, bits: Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' }
}

function isWithin(part: Cidr, whole: Cidr): boolean {
  if (part.family !== whole.family || whole.bits >= part.bits) return false
  const block = new BlockList()
  block.addSubnet(whole.address, whole.bits, whole.family)
  return block.check(part.address, part.family)
}

function blockErrors(at: string, { cidr, except = [] }: V1IPBlock): FieldError[] {
  if (!cidr) return [required(`${at}.cidr`)]
  const whole = cidrOf(cidr)
  if (!whole) return [invalidValue(`${at}.cidr`, cidr, CIDR_RULE)]
  return except.flatMap((text, index) => {
    const part = cidrOf(text)
    const why = !part ? CIDR_RULE : isWithin(part, whole) ? undefined : 'must be a strict subset of `cidr`'
    return why ? [invalidValue(`${at}.except[${index}]`, text, why)] : []
  })
}

function peerErrors(at: string, { podSelector, namespaceSelector, ipBlock }: V1NetworkPolicyPeer): FieldError[] {
  const errors = [
    ...selectorErrors(`${at}.podSelector`, podSelector),
    ...selectorErrors(`${at}.namespaceSelector`, namespaceSelector),
    ...(ipBlock ? blockErrors(`${at}.ipBlock`, ipBlock) : []),
  ]
  if (!podSelector && !namespaceSelector && !ipBlock) return [...errors, required(at, 'must specify a peer')]
  if (!ipBlock || (!podSelector && !namespaceSelector)) return errors
  return [...errors, forbiddenField(at, 'may not specify both ipBlock and another peer')]
}

export function networkPolicy(draft: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1NetworkPolicy
  const rules = (
    side: string,
    entries: { ports?: V1NetworkPolicyPort[]; peers?: V1NetworkPolicyPeer[] }[],
    peer: string,
  ) =>
    entries.flatMap(({ ports = [], peers = [] }, index) => [
      ...ports.flatMap((port, number) => portErrors(`spec.${side}[${index}].ports[${number}]`, port)),
      ...peers.flatMap((one, number) => peerErrors(`spec.${side}[${index}].${peer}[${number}]`, one)),
    ])
  // The client library calls the field `_from`, the wire `from`.
  const incoming = ((spec?.ingress ?? []) as { ports?: V1NetworkPolicyPort[]; from?: V1NetworkPolicyPeer[] }[]).map(
    ({ ports, from }) => ({ ports, peers: from }),
  )
  const outgoing = (spec?.egress ?? []).map(({ ports, to }) => ({ ports, peers: to }))
  const types = spec?.policyTypes ?? []
  return [
    ...selectorErrors('spec.podSelector', spec?.podSelector),
    ...rules('ingress', incoming, 'from'),
    ...rules('egress', outgoing, 'to'),
    ...(types.length > 2
      ? [invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')]
      : types.flatMap((type, index) =>
          TYPES.includes(type) ? [] : [unsupported(`spec.policyTypes[${index}]`, type, TYPES)],
        )),
  ]
}
