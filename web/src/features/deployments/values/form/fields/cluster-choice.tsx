import { useQuery } from '@tanstack/react-query'
import { registrySecretsQuery, storageClassesQuery } from '../../../../../api/clusters/clusters.ts'
import { usePortal } from '../../../../../lib/portal.tsx'
import { ChoiceSelect } from '../../../../../ui/forms/choices/choice-select.tsx'
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
  const isStorage = kind === 'storageClass'
  const classes = useQuery({
    ...storageClassesQuery(api, place.clusterId),
    enabled: isStorage,
    select: (found) =>
      found.map(({ metadata: { name }, isDefault }) => ({
        value: name,
        label: isDefault ? `${name} (default)` : name,
      })),
  })
  const secrets = useQuery({
    ...registrySecretsQuery(api, place.spaceId, place.clusterId),
    enabled: !isStorage,
    select: (found) => found.map(({ name, registry }) => ({ value: name, label: `${name} · ${registry}` })),
  })
  const choices = isStorage ? classes : secrets
  const known = choices.data ?? []
  const kept = value === '' || known.some((choice) => choice.value === value) ? [] : [{ value, label: value }]
  const nothing = { value: '', label: isStorage ? "The cluster's default" : 'None' }
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
          <bdi>The cluster could not be asked for its {isStorage ? 'storage classes' : 'registry secrets'}.</bdi>
        </span>
      )}
    </>
  )
}
