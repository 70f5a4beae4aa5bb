import { longest } from '@quayside/contract/http/limits'
import { useState } from 'react'
import { useAddRule } from '../../api/clusters/cluster-rules.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { ItemField } from './item-field.tsx'

/** Kinds that charts ask for most, with their groups: choosing one fills both fields. */
const knownKinds: Readonly<Record<string, string>> = {
  ClusterRole: 'rbac.authorization.k8s.io',
  ClusterRoleBinding: 'rbac.authorization.k8s.io',
  CustomResourceDefinition: 'apiextensions.k8s.io',
  MutatingWebhookConfiguration: 'admissionregistration.k8s.io',
  ValidatingWebhookConfiguration: 'admissionregistration.k8s.io',
  PriorityClass: 'scheduling.k8s.io',
  StorageClass: 'storage.k8s.io',
  IngressClass: 'networking.k8s.io',
}

/** One more kind of object that charts may make outside of their space. */
export function ClusterRuleDialog({ clusterId, onClose }: { clusterId: string; onClose: () => void }) {
  const add = useAddRule(clusterId)
  const [form, setForm] = useState({ kind: '', group: '', name: '', publisher: '', note: '' })
  const [item, setItem] = useState<{ id: string; displayName: string }>()
  const refused = add.error instanceof ApiError ? add.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change })
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const missing = form.kind.trim() === ''
  return (
    <FormDialog
      title="Allow a kind"
      submitLabel="Allow"
      onClose={onClose}
      onSubmit={() =>
        add.mutate(
          {
            ...{ kind: form.kind.trim(), group: form.group.trim(), note: form.note.trim(), itemId: item?.id ?? null },
            ...{ name: orNull(form.name), publisher: orNull(form.publisher) },
          },
          { onSuccess: onClose },
        )
      }
      busy={add.isPending}
      disabled={missing}
      error={
        ['kind', 'group', 'name', 'itemId', 'publisher', 'note'].some((field) => of(field)) ? undefined : add.error
      }
    >
      <KindFields kind={form.kind} group={form.group} errorOf={of} onChange={set} />
      <TextField
        label="Name"
        help="A * stands for any text. Empty for every name."
        className="mono"
        value={form.name}
        error={of('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
      <ItemField value={item} error={of('itemId')} onChange={setItem} />
      <TextField
        label="Uploaded by"
        help="User name of a person or service account. Only charts that it uploaded are allowed. Leave empty to allow all publishers."
        value={form.publisher}
        error={of('publisher')}
        onChange={(event) => set({ publisher: event.target.value })}
      />
      <TextField
        label="Note"
        maxLength={longest.note}
        value={form.note}
        error={of('note')}
        onChange={(event) => set({ note: event.target.value })}
      />
    </FormDialog>
  )
}

interface KindProps {
  kind: string
  group: string
  errorOf: (field: string) => string | undefined
  onChange: (change: { kind?: string; group?: string }) => void
}

/** The kind with its group, which follows the kind until somebody writes another one. */
function KindFields({ kind, group, errorOf, onChange }: KindProps) {
  const [ownGroup, setOwnGroup] = useState(false)
  const setKind = (next: string) =>
    onChange({ kind: next, ...(ownGroup ? {} : { group: knownKinds[next.trim()] ?? '' }) })
  return (
    <>
      <TextField
        label="Kind"
        required
        data-autofocus
        list="known-kinds"
        placeholder="ClusterRole"
        value={kind}
        error={errorOf('kind')}
        onChange={(event) => setKind(event.target.value)}
      />
      <datalist id="known-kinds">
        {Object.keys(knownKinds).map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <TextField
        label="API group"
        help="Leave empty for the core group."
        className="mono"
        value={group}
        error={errorOf('group')}
        onChange={(event) => {
          setOwnGroup(true)
          onChange({ group: event.target.value })
        }}
      />
    </>
  )
}
