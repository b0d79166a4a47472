//! Names of months in the languages that write dates with letters, and of time zones.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A row for each month. Lower case; abbreviations without their dot.
const MONTHS: [&str; 12] = [
    "jan january januar jänner janvier janv enero ene gennaio gen janeiro januari januarie stycznia styczeń ocak oca января январь янв січня leden ledna januára január tammikuuta tammikuu ianuarie siječnja ιανουαρίου ιαν janúar jaanuar sausio janvāris januar януари يناير januára",
    "feb february februar feber février févr fév fevrier febrero febbraio fevereiro fev februari februarie lutego luty şubat şub февраля февраль фев лютого únor února február februára helmikuuta helmikuu februarie veljače φεβρουαρίου φεβ febrúar veebruar vasario februāris февруари فبراير",
    "mar march märz maerz mrz mär mars marzo março marco maart mrt marca marzec mart марта март мар березня březen března március marec maaliskuuta maaliskuu martie ožujka μαρτίου μαρ märts kovo marts mars مارس",
    "apr april avril avr abril abr aprile apr abril kwietnia kwiecień nisan nis апреля апрель апр квітня duben dubna április apríl apríla huhtikuuta huhtikuu aprilie travnja απριλίου απρ aprill balandžio aprīlis април أبريل",
    "may mai mayo maggio mag maio mei maja maj mayıs мая май травня květen května május máj mája toukokuuta toukokuu svibnja μαΐου μαϊου μαι maí gegužės maijs май مايو",
    "jun june juni juin junio giugno giu junho czerwca czerwiec haziran haz июня июнь июн червня červen června június jún júna kesäkuuta kesäkuu iunie lipnja ιουνίου ιουν júní juuni birželio jūnijs юни يونيو",
    "jul july juli juillet juil julio luglio lug julho lipca lipiec temmuz tem июля июль июл липня červenec července július júl júla heinäkuuta heinäkuu iulie srpnja ιουλίου ιουλ júlí juuli liepos jūlijs юли يوليو",
    "aug august août aout agosto ago agosto augustus augusti sierpnia sierpień ağustos ağu августа август авг серпня srpen srpna augusztus augusta elokuuta elokuu kolovoza αυγούστου αυγ ágúst rugpjūčio augusts август أغسطس",
    "sep sept september septembre septiembre setiembre settembre set setembro września wrzesień eylül eyl сентября сентябрь сен вересня září szeptember septembra syyskuuta syyskuu septembrie rujna σεπτεμβρίου σεπ september rugsėjo septembris септември سبتمبر",
    "oct october oktober okt octobre octubre ottobre ott outubro out października październik ekim eki октября октябрь окт жовтня říjen října október októbra lokakuuta lokakuu octombrie listopada οκτωβρίου οκτ oktoober spalio oktobris октомври أكتوبر",
    "nov november novembre noviembre novembro listopad kasım kas ноября ноябрь ноя листопада listopadu novembra marraskuuta marraskuu noiembrie studenoga νοεμβρίου νοε nóvember lapkričio novembris ноември نوفمبر",
    "dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro grudnia grudzień aralık ara декабря декабрь дек грудня prosinec prosince decembra joulukuuta joulukuu decembrie prosinca δεκεμβρίου δεκ desember detsember gruodžio decembris декември ديسمبر",
];

/// One to twelve; `word` is in lower case.
pub(super) fn month(word: &str) -> Option<u32> {
    BY_NAME.get(word).copied()
}

static BY_NAME: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let rows = (1..).zip(MONTHS).collect::<Vec<(u32, &str)>>().into_iter().rev();
    // A name that two languages use for two months means the earlier one.
    rows.flat_map(|(month, names)| names.split(' ').map(move |name| (name, month))).collect()
});

/// Minutes east of Greenwich of a zone's name, in any case. Names that several zones share mean what RFC 822 says.
pub(super) fn zone(name: &str) -> Option<i32> {
    let hours = match name.to_ascii_lowercase().as_str() {
        "z" | "ut" | "utc" | "gmt" | "wet" => 0,
        "bst" | "cet" | "met" | "mez" | "west" => 1,
        "cest" | "mest" | "mesz" | "eet" | "sast" => 2,
        "eest" | "msk" | "trt" => 3,
        "msd" => 4,
        "hkt" | "sgt" | "awst" => 8,
        "jst" | "kst" => 9,
        "aest" => 10,
        "aedt" => 11,
        "nzst" => 12,
        "nzdt" => 13,
        "adt" | "brt" | "art" => -3,
        "ast" | "at" | "edt" => -4,
        "est" | "et" | "cdt" => -5,
        "cst" | "ct" | "mdt" => -6,
        "mst" | "mt" | "pdt" => -7,
        "pst" | "pt" => -8,
        "ist" => return Some(330),
        _ => return None,
    };
    Some(hours * 60)
}
