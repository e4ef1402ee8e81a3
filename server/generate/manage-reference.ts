import { ALL_ROLES, allProblems, PERMISSIONS, permissionText, problemsOf, ROLES, type ManagementOperation } from '../src/manage/index.ts';

const ORIGIN = '<!-- Made by `npm run generate` from the declarations of the operations. -->';
const documentsOwn = ({ name }: { readonly name: string }): string => `\`${name}\``;

/** Writes the reference of the management API: operations, roles and problems. Shape: file name → Markdown. */
export function renderManageReference(operations: readonly ManagementOperation<never>[]): ReadonlyMap<string, string> {
  return new Map([['management-api.md', [ORIGIN, renderOperations(operations), renderRoles(), renderProblems(operations)].join('\n\n')]]);
}

function renderOperations(operations: readonly ManagementOperation<never>[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const groups = tags.map((tag) => {
    const rows = operations
      .filter((operation) => operation.tag === tag)
      .map((operation) => {
        const own = problemsOf(operation).filter(({ name }) => Object.hasOwn(operation.refusals ?? {}, name));
        return `| ${operation.summary} | \`${operation.route}\` | ${permissionText(operation)} | ${own.map(documentsOwn).join(', ')} |`;
      });
    return `### ${tag}\n\n| Operation | Route | Who may | Problems of its own |\n|---|---|---|---|\n${rows.join('\n')}`;
  });
  const introduction = [
    'Parameters, bodies and answers are in the OpenAPI document of a server: `GET /manage/v1/openapi.json`. How to use it',
    'is in [the guide](../management.md).',
  ].join('\n');
  return `# The management API\n\n${introduction}\n\n## Operations\n\n${groups.join('\n\n')}`;
}

function renderRoles(): string {
  const head = `| Permission | ${ALL_ROLES.join(' | ')} | What it lets you do |`;
  const rows = Object.entries(PERMISSIONS).map(
    ([permission, text]) =>
      `| \`${permission}\` | ${ALL_ROLES.map((role) => ((ROLES[role].permissions as ReadonlySet<string>).has(permission) ? 'yes' : '')).join(' | ')} | ${text} |`,
  );
  const bound = ALL_ROLES.filter((role) => ROLES[role].side === 'merchant').map((role) => `\`${role}\``);
  const line = `|${'---|'.repeat(ALL_ROLES.length + 2)}`;
  return `## Roles and permissions\n\nThese roles are bound to one merchant: ${bound.join(', ')}.\n\n${head}\n${line}\n${rows.join('\n')}`;
}

function renderProblems(operations: readonly ManagementOperation<never>[]): string {
  const rows = [...allProblems(operations)].map(
    ([name, { status, title, meaning }]) => `| \`${name}\` | ${status} | ${title} | ${meaning} |`,
  );
  return `## Problems\n\nThe \`type\` of a problem is \`/docs/problems/NAME\`.\n\n| Name | Status | Title | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}
