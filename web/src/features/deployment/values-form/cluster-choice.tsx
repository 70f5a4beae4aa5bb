import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../../lib/portal.tsx'
import { Select } from '../../../ui/select.tsx'
import styles from './values-form.module.css'
import type { FormPlace } from './values-form.tsx'

interface Props {
  id: string
  kind: 'storageClass' | 'registrySecret'
  value: string
  place: FormPlace
  onCommit: (value: string) => void
}

/** Storage classes and registry secrets as the chosen cluster has them now; any other name can be typed. */
export function ClusterChoice({ id, kind, value, place, onCommit }: Props) {
  const { api } = usePortal()
  const choices = useQuery({
    queryKey: ['clusters', place.clusterId, kind, kind === 'registrySecret' ? place.spaceId : ''],
    queryFn: () => (kind === 'storageClass' ? storageClasses() : registrySecrets()),
  })
  async function storageClasses() {
    const path = `/cluster/v1/clusters/${place.clusterId}/storageClasses`
    const { data } = await api.get<{ data: { metadata: { name: string }; isDefault: boolean }[] }>(path)
    return data.map(({ metadata, isDefault }) => ({
      value: metadata.name,
      label: isDefault ? `${metadata.name} (default)` : metadata.name,
    }))
  }
  async function registrySecrets() {
    const path = `/cluster/v1/secrets/spaces/${place.spaceId}/clusters/${place.clusterId}`
    const { data } = await api.get<{ data: { name: string; registry: string }[] }>(path)
    return data.map(({ name, registry }) => ({ value: name, label: `${name} · ${registry}` }))
  }
  const known = choices.data ?? []
  return (
    <>
      <Select id={id} value={value} onChange={(event) => onCommit(event.target.value)}>
        <option value="">{kind === 'storageClass' ? "The cluster's default" : 'None'}</option>
        {value !== '' && !known.some((choice) => choice.value === value) && <option value={value}>{value}</option>}
        {known.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </Select>
      {choices.error !== null && (
        <span className={styles.error}>
          The cluster could not be asked for its {kind === 'storageClass' ? 'storage classes' : 'registry secrets'}.
        </span>
      )}
    </>
  )
}
