import { portalNamespace } from '../../../../adapters/kubernetes/space/portal-namespace.ts'
import { type Fields, fieldsOf, textOf } from '../../workloads/fields.ts'
import { isClusters } from './control-plane.ts'

/** Facts about a class that its content does not tell. */
interface ClassHere {
  kind: string
  name: string
  around: { namespace: string; namespaces: ReadonlyMap<string, string> }
}

/** A class as it is judged: what it offers to whom, and whether a list may let it be. */
interface GivenByClass {
  grants: string[]
  /** It changes what others get, or draws on what is others': no list lets it be, only an approval. */
  isForAll: boolean
  elevates?: boolean
  never?: string | undefined
}

type ClassJudge = (body: Fields, here: ClassHere) => GivenByClass

/** Anything else counts as on: Helm reads more words as true than we do. */
const isOff = (value: unknown) => value === undefined || value === null || value === false

const isDefaultClass = (body: Fields) =>
  Object.entries(fieldsOf(fieldsOf(body.metadata).annotations)).some(
    ([key, value]) => /is-default-class$/.test(key) && (typeof value === 'string' ? value === 'true' : value !== null),
  ) || !isOff(body.globalDefault)

/** A class that is chosen for others who choose none is another matter than one that they may choose. */
const offered = (body: Fields, { kind, name }: ClassHere): GivenByClass => {
  const isForAll = isDefaultClass(body)
  return {
    isForAll,
    grants: [
      `offers ${kind} ${name} to every space`,
      ...(isForAll ? ['becomes the default of the whole cluster'] : []),
    ],
  }
}

/**
 * Pods of a higher class drive those of a lower one off their nodes, whoever they belong to. Those of a class that never
 * does still get the next free place, and a node that is short of memory ends the others first.
 */
const priority: ClassJudge = (body, here) => {
  const { isForAll, grants } = offered(body, here)
  const { value = 0, preemptionPolicy } = body
  const isHarmless = typeof value === 'number' && value <= 0
  const gains =
    preemptionPolicy === 'Never'
      ? 'lets pods go before those of other spaces, and stay when a node ends those'
      : 'lets pods drive those of other spaces off their nodes'
  return {
    isForAll: isForAll || !isHarmless,
    grants: [...grants, ...(isHarmless ? [] : [gains])],
    never: here.name.startsWith('system-') ? 'this name is one of Kubernetes' : undefined,
  }
}

/** The parameters of a class of gateways or ingresses are an object that whoever writes it may change later. */
const setUpBy =
  (field: 'parameters' | 'parametersRef'): ClassJudge =>
  (body, here) => {
    const { isForAll, grants } = offered(body, here)
    const parameters = fieldsOf(body.spec)[field]
    if (isOff(parameters)) return { isForAll, grants }
    return { isForAll: true, grants: [...grants, `is set up by ${JSON.stringify(parameters)}`] }
  }

/** Names of the Secrets' namespaces that a storage class tells its driver to read. */
export function secretNamespacesOf(body: Fields): string[] {
  const parameters = Object.entries(fieldsOf(body.parameters))
  return parameters
    .filter(([key]) => /secret-?namespace$/i.test(key))
    .map(([, value]) => textOf(value))
    .filter((namespace) => namespace !== '' && !ownOfClaim.test(namespace))
}
/** A driver puts the namespace of the claim or of the snapshot here. */
const ownOfClaim = /^\$\{(?:pvc|volumesnapshot|volumegroupsnapshot)\.namespace\}$/

/** Each of these kinds calls the driver by another name. */
const driverOf = ({ provisioner, driver, driverName }: Fields) =>
  textOf(provisioner) || textOf(driver) || textOf(driverName)

const storage: ClassJudge = (body, here) => {
  const { isForAll, grants } = offered(body, here)
  const elsewhere = secretNamespacesOf(body).filter((namespace) => namespace !== here.around.namespace)
  return {
    isForAll: isForAll || elsewhere.length > 0,
    grants: [
      ...grants,
      `lets pods have volumes of ${driverOf(body)} with ${JSON.stringify(fieldsOf(body.parameters))}`,
    ],
    never: whyNotReadBy(elsewhere, here),
  }
}

/** Why no driver is told to read Secrets of these namespaces; undefined when somebody can be asked. */
function whyNotReadBy(elsewhere: readonly string[], { around: { namespaces } }: ClassHere): string | undefined {
  const closed = elsewhere.find(
    (one) => one === portalNamespace || isClusters(one) || namespaces.get(one) === 'space' || /[^a-z0-9-]/.test(one),
  )
  return closed === undefined ? undefined : `its driver would read a Secret of the namespace ${closed}`
}

/** Namespaces of the Secrets that a volume tells its driver to read: each kind of driver has fields of its own for them. */
export function secretNamespacesOfVolume(body: Fields): string[] {
  const sources = Object.values(fieldsOf(body.spec)).map(fieldsOf)
  return sources.flatMap((source) =>
    [
      ...Object.entries(source).flatMap(([field, one]) =>
        /SecretRef$/i.test(field) ? textOf(fieldsOf(one).namespace) : [],
      ),
      textOf(source.secretNamespace),
    ].filter((namespace) => namespace !== ''),
  )
}

/** A volume gives whoever claims it what lies there. */
const volume: ClassJudge = (body, here) => {
  const elsewhere = secretNamespacesOfVolume(body).filter((namespace) => namespace !== here.around.namespace)
  return {
    isForAll: elsewhere.length > 0,
    elevates: true,
    grants: [
      `gives pods storage of the cluster${fieldsOf(body.spec).hostPath === undefined ? '' : ': a folder of a node'}`,
      ...elsewhere.map((namespace) => `has its driver read a Secret of the namespace ${namespace}`),
    ],
    never: whyNotReadBy(elsewhere, here),
  }
}

/** Judges of the kinds that offer something to every space. */
export const classes: Readonly<Record<string, ClassJudge>> = {
  '/PersistentVolume': volume,
  'storage.k8s.io/StorageClass': storage,
  'storage.k8s.io/VolumeAttributesClass': storage,
  'snapshot.storage.k8s.io/VolumeSnapshotClass': storage,
  'groupsnapshot.storage.k8s.io/VolumeGroupSnapshotClass': storage,
  'networking.k8s.io/IngressClass': setUpBy('parameters'),
  'gateway.networking.k8s.io/GatewayClass': setUpBy('parametersRef'),
  'scheduling.k8s.io/PriorityClass': priority,
}
