/** The audit entries of interactions with stored resources: who writes them, and when. */

import type { Access, RefusalReason } from '../audit/audit.ts';
import { type ErrorKind, FhirError } from '../request/fhir-error.ts';
import type { TypeContext } from './interaction.ts';

/**
 * The access for a call of the repository, which records it from now on. If the interaction fails
 * before this, the server records the refusal.
 */
export function handOver(context: TypeContext): Access {
  context.isHandedOver = true;
  return accessOf(context);
}

/** Records a refused access; undefined if no audit log needs an entry. */
export function recordRefusal(context: TypeContext, error: unknown): Promise<void> | undefined {
  const { type, id, version, interaction, isHandedOver } = context;
  if (type.stored === undefined || interaction.needs === undefined || isHandedOver)
    return undefined;
  return type.stored.repository.recordRefusal(
    {
      reason: reasonOf(error),
      type: type.name,
      ...(id !== '' && { id }),
      ...(version !== '' && { version }),
    },
    accessOf(context),
  );
}

function accessOf({ request, interaction, identity }: TypeContext): Access {
  return {
    ...(identity !== undefined && { identity }),
    address: request.addressOf?.() ?? '',
    requestId: request.id,
    interaction: interaction.code,
  };
}

function reasonOf(error: unknown): RefusalReason {
  if (!(error instanceof FhirError)) return 'fault';
  return REASONS[error.issues[0].kind] ?? 'invalid';
}

const REASONS: Readonly<Partial<Record<ErrorKind, RefusalReason>>> = {
  unauthorized: 'unauthenticated',
  // The token was not checked, because too many tokens of the client are being checked.
  throttled: 'unauthenticated',
  forbidden: 'forbidden',
  unavailable: 'fault',
};
