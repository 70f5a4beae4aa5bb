import { Checkbox } from '@mantine/core'
import { longest } from '@quayside/contract/http/limits'
import type { PermissionInput } from '@quayside/contract/permissions/permission-entry'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { type ReactNode, useState } from 'react'
import { useClusterNames } from '../../api/clusters/clusters.ts'
import { useSaveSpace } from '../../api/space.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { TextArea } from '../../ui/forms/text-field.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './space-dialog.module.css'

/** Draws who gets which role in a new space. */
export type FirstMembersField = (
  members: readonly PermissionInput[],
  onChange: (members: PermissionInput[]) => void,
) => ReactNode

interface Props {
  /** The space to change; left out, a new one is made. */
  space?: Space
  /** The first members of a new space; not used when a space is changed. */
  firstMembers?: FirstMembersField
  onClose: () => void
  onSaved: (space: Space) => void
}

export function SpaceDialog({ space, firstMembers, onClose, onSaved }: Props) {
  const [displayName, setDisplayName] = useState(space?.displayName ?? '')
  const [description, setDescription] = useState(space?.description ?? '')
  const [clusterIds, setClusterIds] = useState(space?.clusters.map(({ id }) => id) ?? [])
  const [members, setMembers] = useState<readonly PermissionInput[]>([])
  const [asked, setAsked] = useState(false)
  const save = useSaveSpace(space?.id)
  const refused = save.error instanceof ApiError ? save.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const explained = refused?.field === 'displayName' || refused?.field === 'description'

  const submit = () => {
    setAsked(true)
    if (displayName.trim() === '') return
    save.mutate(
      {
        ...{ displayName: displayName.trim(), description: description.trim(), clusterIds },
        ...(space === undefined ? { members: [...members] } : {}),
      },
      { onSuccess: onSaved },
    )
  }
  return (
    <FormDialog
      title={space === undefined ? 'New space' : 'Edit space'}
      submitLabel={space === undefined ? 'Create space' : 'Save'}
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={explained ? undefined : save.error}
    >
      <NameField
        value={displayName}
        most={longest.displayName}
        asked={asked}
        error={of('displayName')}
        onChange={setDisplayName}
      />
      <TextArea
        label="Description"
        maxLength={longest.description}
        value={description}
        error={of('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
      <ClusterChoice chosen={clusterIds} onChange={setClusterIds} />
      <LeavingNote space={space} chosen={clusterIds} />
      {space === undefined && firstMembers?.(members, setMembers)}
    </FormDialog>
  )
}

/** Tells what becomes of the clusters that a space is to leave. */
function LeavingNote({ space, chosen }: { space: Space | undefined; chosen: string[] }) {
  const left = space?.clusters.filter(({ id }) => !chosen.includes(id)) ?? []
  if (left.length === 0) return null
  return (
    <p className={styles.none} role="status">
      {left.length === 1 ? 'This removes the space from a cluster' : 'This removes the space from clusters'}:{' '}
      <bdi>{left.map(({ displayName }) => displayName).join(', ')}</bdi>. All that it has there is removed, volumes too.
      Delete its apps there first.
    </p>
  )
}

function ClusterChoice({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const clusters = useClusterNames()
  return (
    <FieldGroup legend="Clusters">
      {clusters.isLoading && <Loading card />}
      {clusters.error !== null && (
        <ErrorPanel error={clusters.error} name="Clusters" onRetry={() => void clusters.refetch()} />
      )}
      {clusters.data?.length === 0 && <p className={styles.none}>There is no cluster yet. One can be added later.</p>}
      {clusters.data?.map(({ id, displayName, iaas }) => (
        <Checkbox
          key={id}
          label={
            <>
              <bdi>{displayName}</bdi> <span className={styles.provider}>{iaas.type}</span>
            </>
          }
          checked={chosen.includes(id)}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        />
      ))}
    </FieldGroup>
  )
}
