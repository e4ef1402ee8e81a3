import { readFileSync } from 'node:fs';

let known: ReadonlySet<string> | undefined;

/** True for one of the most common passwords of the world that are long enough. The file says where they are from. */
export function isKnownPassword(folded: string): boolean {
  known ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n----\n')[1]
      ?.split('\n'),
  );
  return known.has(folded);
}

/** Words and phrases that people choose, in small letters without signs. Digits around them are cut before the comparison. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `password passwords passw passwd passphrase passwordpassword mypassword yourpassword thisismypassword changeme changemenow changeit
  letmein letmeinnow letmeinplease welcome welcomehome welcometo administrator admin adminadmin rootroot superuser superadmin
  qwerty qwertyqwerty qwertyuiop qwertyuiopasdf asdfgh asdfghjkl asdfghjklzxcvbnm zxcvbn zxcvbnm qazwsx qazwsxedc qazwsxedcrfv
  iloveyou iloveyouso iloveyoumore iloveyouforever loveyou trustno trustnoone sunshine princess dragon monkey football baseball basketball
  superman batman starwars pokemon master shadow michael jennifer jessica computer internet whatever nothing secret secretsecret
  freedom liverpool chelsea barcelona realmadrid manchester arsenal juventus santafe millonarios nacional america bocajuniors
  correcthorsebatterystaple tobeornottobe thequickbrownfox thequickbrownfoxjumps maytheforcebewithyou openesesame opensesame
  abcdefghijkl abcdefghijklm abcabcabcabc aaaabbbbcccc abcd abcdef abcdefgh testtest testing testingtesting test guest guestguest demo demodemo
  contraseña contrasena micontraseña micontrasena contraseñasegura contrasenasegura clave claveclave miclave clavesegura claveprivada
  cambiame cambiar cambialaya bienvenido bienvenidos administrador usuario usuariousuario teamo teamomucho tequiero tequieromucho
  colombia micolombia colombiatierraquerida bogota medellin barranquilla cartagena argentina mexico peru chile ecuador venezuela brasil
  senha senhasenha minhasenha senhasegura senhaforte mudar mudarsenha bemvindo usuario euteamo euteamomuito flamengo corinthians palmeiras
  saopaulo caudal caudalcaudal caudaladmin pagos pagospagos payments payment paymentservice cashout cashouts checkout invoice facturas
  january february march april may june july august september october november december spring summer autumn winter
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre primavera verano otoño invierno
  monday tuesday wednesday thursday friday saturday sunday lunes martes miercoles jueves viernes sabado domingo
  chocolate cookie cookies butterfly elephant rainbow hello helloworld hellohello holamundo holahola hola jesus jesuschrist jesucristo
  diosesamor diosesbueno diosmeama godislove godisgood blessed angel angels babygirl baby familia mifamilia family myfamily
  facebook instagram whatsapp google microsoft windows android iphone samsung linkedin youtube netflix spotify amazon`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
