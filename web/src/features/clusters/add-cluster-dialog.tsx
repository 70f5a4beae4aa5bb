import { Checkbox } from '@mantine/core'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { useAddCluster } from '../../api/clusters/cluster.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { DropZone } from '../../ui/forms/drop-zone.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { TextArea } from '../../ui/forms/text-field.tsx'
import { readKubeconfig } from './read-kubeconfig.ts'

interface Props {
  onClose: () => void
  onAdded: (cluster: Cluster) => void
}

/** A cluster by its kubeconfig: paste or drop it, choose a context, and the server tries it before it keeps it. */
export function AddClusterDialog({ onClose, onAdded }: Props) {
  const [displayName, setDisplayName] = useState('')
  const [kubeconfig, setKubeconfig] = useState('')
  const [wanted, setWanted] = useState<string>()
  const [clusterScoped, setClusterScoped] = useState(false)
  const [asked, setAsked] = useState(false)
  const add = useAddCluster()
  const facts = kubeconfig.trim() === '' ? undefined : readKubeconfig(kubeconfig)
  const contexts = facts !== undefined && 'contexts' in facts ? facts.contexts : []
  const context =
    contexts.find(({ name }) => name === wanted)?.name ?? (facts && 'current' in facts ? facts.current : undefined)
  const refused = add.error instanceof ApiError ? add.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const problem =
    facts === undefined
      ? asked
        ? 'A kubeconfig is required.'
        : undefined
      : 'problem' in facts
        ? facts.problem
        : undefined
  const explained = refused?.field === 'displayName' || refused?.field === 'kubeconfig'

  const submit = () => {
    setAsked(true)
    if (displayName.trim() === '' || facts === undefined || 'problem' in facts) return
    add.mutate({ displayName: displayName.trim(), kubeconfig, context, clusterScoped }, { onSuccess: onAdded })
  }
  return (
    <FormDialog
      title="Add cluster"
      submitLabel="Test and add"
      onClose={onClose}
      onSubmit={submit}
      busy={add.isPending}
      error={explained ? undefined : add.error}
    >
      <NameField
        value={displayName}
        most={longest.displayName}
        asked={asked}
        error={of('displayName')}
        onChange={setDisplayName}
      />
      <DropZone
        label="Drop a kubeconfig, or click to choose one"
        hint="Only the server, the certificate authority, the token and the client certificate are used."
        onFiles={([file]) => void file?.text().then(setKubeconfig)}
      />
      <TextArea
        label="Kubeconfig"
        required
        rows={8}
        spellCheck={false}
        dir="ltr"
        className="mono"
        value={kubeconfig}
        error={problem ?? of('kubeconfig')}
        onChange={(event) => setKubeconfig(event.target.value)}
      />
      {contexts.length > 0 && (
        <OptionSelect
          label="Context"
          options={contexts.map(({ name, cluster }) => ({ value: name, label: name, lines: [`Cluster: ${cluster}`] }))}
          value={context}
          onChange={setWanted}
          disabled={contexts.length === 1}
        />
      )}
      <Checkbox
        label="Charts may also create objects outside of their space's namespace"
        checked={clusterScoped}
        onChange={(event) => setClusterScoped(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
