import { useQuery } from '@tanstack/react-query'
import { clustersKey, fetchRegistrySecrets, fetchStorageClasses } from '../../../../api/clusters/clusters.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { ChoiceSelect } from '../../../../ui/forms/choice-select.tsx'
import styles from '../values-form.module.css'
import type { FormPlace } from '../values-form.tsx'

interface Props {
  id: string
  label: string
  labelledBy: string
  kind: 'storageClass' | 'registrySecret'
  value: string
  place: FormPlace
  onCommit: (value: string) => void
}

/** Storage classes and registry secrets as the chosen cluster has them now; any other name can be typed. */
export function ClusterChoice({ id, label, labelledBy, kind, value, place, onCommit }: Props) {
  const { api } = usePortal()
  const choices = useQuery({
    queryKey: [...clustersKey, place.clusterId, kind, kind === 'registrySecret' ? place.spaceId : ''],
    queryFn: () => (kind === 'storageClass' ? storageClasses() : registrySecrets()),
  })
  async function storageClasses() {
    return (await fetchStorageClasses(api, place.clusterId)).map(({ metadata, isDefault }) => ({
      value: metadata.name,
      label: isDefault ? `${metadata.name} (default)` : metadata.name,
    }))
  }
  async function registrySecrets() {
    const secrets = await fetchRegistrySecrets(api, place.spaceId, place.clusterId)
    return secrets.map(({ name, registry }) => ({ value: name, label: `${name} · ${registry}` }))
  }
  const known = choices.data ?? []
  const kept = value === '' || known.some((choice) => choice.value === value) ? [] : [{ value, label: value }]
  const nothing = { value: '', label: kind === 'storageClass' ? "The cluster's default" : 'None' }
  return (
    <>
      <ChoiceSelect
        id={id}
        label={label}
        labelId={labelledBy}
        value={value}
        options={[nothing, ...kept, ...known]}
        onChange={onCommit}
      />
      {choices.error !== null && (
        <span className={styles.error}>
          <bdi>
            The cluster could not be asked for its {kind === 'storageClass' ? 'storage classes' : 'registry secrets'}.
          </bdi>
        </span>
      )}
    </>
  )
}
