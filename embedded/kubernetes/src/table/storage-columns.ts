import type { V1PersistentVolume, V1PersistentVolumeClaim, V1StorageClass } from '@kubernetes/client-node'
import { AGE, type Column, text, wide } from './column.ts'

const MODES: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

const shownModes = (modes: readonly string[] | undefined): string =>
  (modes ?? []).map((mode) => MODES[mode] ?? mode).join(',')

const claimPhase = ({ metadata, status }: V1PersistentVolumeClaim): string =>
  metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? '')

const isBound = ({ spec }: V1PersistentVolumeClaim): boolean => Boolean(spec?.volumeName)

export const CLAIM_COLUMNS: readonly Column[] = [
  text('Status', claimPhase),
  text<V1PersistentVolumeClaim>('Volume', ({ spec }) => spec?.volumeName ?? ''),
  text<V1PersistentVolumeClaim>('Capacity', (claim) => (isBound(claim) ? (claim.status?.capacity?.storage ?? '') : '')),
  text<V1PersistentVolumeClaim>('Access Modes', (claim) =>
    isBound(claim) ? shownModes(claim.status?.accessModes) : '',
  ),
  text<V1PersistentVolumeClaim>('StorageClass', ({ spec }) => spec?.storageClassName ?? ''),
  text<V1PersistentVolumeClaim>('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
  AGE,
  wide(text<V1PersistentVolumeClaim>('VolumeMode', ({ spec }) => spec?.volumeMode ?? '<unset>')),
]

export const VOLUME_COLUMNS: readonly Column[] = [
  text<V1PersistentVolume>('Capacity', ({ spec }) => spec?.capacity?.storage ?? ''),
  text<V1PersistentVolume>('Access Modes', ({ spec }) => shownModes(spec?.accessModes)),
  text<V1PersistentVolume>('Reclaim Policy', ({ spec }) => spec?.persistentVolumeReclaimPolicy),
  text<V1PersistentVolume>('Status', ({ metadata, status }) =>
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
  ),
  text<V1PersistentVolume>('Claim', ({ spec }) =>
    spec?.claimRef ? `${spec.claimRef.namespace}/${spec.claimRef.name}` : '',
  ),
  text<V1PersistentVolume>('StorageClass', ({ spec }) => spec?.storageClassName ?? ''),
  text<V1PersistentVolume>('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
  text<V1PersistentVolume>('Reason', ({ status }) => status?.reason ?? ''),
  AGE,
  wide(text<V1PersistentVolume>('VolumeMode', ({ spec }) => spec?.volumeMode ?? '<unset>')),
]

const DEFAULT = 'storageclass.kubernetes.io/is-default-class'

export const STORAGE_CLASS_COLUMNS: readonly Column[] = [
  text<V1StorageClass>('Provisioner', ({ provisioner }) => provisioner),
  text<V1StorageClass>('ReclaimPolicy', ({ reclaimPolicy }) => reclaimPolicy),
  text<V1StorageClass>('VolumeBindingMode', ({ volumeBindingMode }) => volumeBindingMode),
  text<V1StorageClass>('AllowVolumeExpansion', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
  AGE,
]

/** The default storage class says so beside its name. */
export const STORAGE_CLASS_NAME: Column = {
  name: 'Name',
  format: 'name',
  cell: ({ metadata }) => (metadata.annotations?.[DEFAULT] === 'true' ? `${metadata.name} (default)` : metadata.name),
}
