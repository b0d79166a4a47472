//! Languages: word lists of our own, enough to make text that a language detector recognises.

/// A language: its code, how its sentences look, and what they are made of.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) code: &'static str,
    /// Share of pages in per mille (performance §6.1, the languages below alone).
    pub(crate) share: u32,
    /// The charset such pages had before UTF-8.
    pub(crate) charset: &'static str,
    /// Words are set apart by spaces.
    pub(crate) spaced: bool,
    pub(crate) comma: &'static str,
    pub(crate) stop: &'static str,
    /// Small frequent words, most frequent first.
    pub(crate) small: &'static str,
    pub(crate) roots: &'static str,
    pub(crate) endings: &'static str,
}

macro_rules! language {
    ($code:literal $share:literal $charset:literal $spaced:literal $comma:literal $stop:literal,
     $small:literal, $roots:literal, $endings:literal) => {
        Language {
            code: $code,
            share: $share,
            charset: $charset,
            spaced: $spaced,
            comma: $comma,
            stop: $stop,
            small: $small,
            roots: $roots,
            endings: $endings,
        }
    };
}

pub(crate) static LANGUAGES: [Language; 12] = [
    language!("en" 486 "windows-1252" true ", " ". ",
        "the of and to in that is was for it with as on be at by this had not are but from or have they which one were all there when their been has more if would what about than into could other then some only its after two also over such where through most under while before",
        "river light stone winter garden market letter bridge house water morning village silver mountain harbour season paper window engine record teacher forest signal travel history machine number question language evening kitchen journey island measure holiday village station corner picture weather summer kingdom library promise",
        " s ed ing er ly ful less ward able ness ish"),
    language!("ru" 82 "windows-1251" true ", " ". ",
        "и в не на что с он как это по но из у к за от так же бы для только о вы его мы она они все был быть было когда если чтобы или уже даже под после между через более также того этот который где там ещё очень",
        "город книг вод дорог зим лес дом работ вопрос машин истори письм школ сторон врем рек остров голос картин праздник утр вечер мор гор стран язык част поезд окн сад",
        "а у ы ой ами ах ов ский ная ное ных ть"),
    language!("de" 73 "windows-1252" true ", " ". ",
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein",
        "fluss licht stein winter garten markt brief brücke haus wasser morgen dorf silber berg hafen zeit papier fenster motor lehrer wald reise frage sprache abend küche insel bild wetter sommer königreich straße bäcker größe jahr",
        " e en er es lich ung isch bar los heit keit"),
    language!("ja" 64 "shift_jis" false "、" "。",
        "の に は を が と で も です ます した から まで ない この その ある する いる こと もの より など",
        "川 光 石 冬 庭 市場 手紙 橋 家 水 朝 村 銀 山 港 季節 紙 窓 機械 記録 先生 森 旅行 歴史 数字 質問 言葉 夕方 台所 島 休日 駅 写真 天気 夏 王国 図書館 約束 東京 電車 新聞 音楽",
        " 的 者 化 性 を は が に も で の"),
    language!("fr" 58 "windows-1252" true ", " ". ",
        "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou son mais comme nous sa aux été cette elle fait ont leur bien peut tout même ces sans deux entre après où très était avant",
        "rivièr lumièr pierr hiver jardin march lettr maison matin villag argent montagn saison papier fenêtr moteur écol forêt voyag histoir machin nombr question soiré cuisin îl mesur vacanc imag été royaum bibliothèqu",
        "e es er é ée ement eur eux aire able ation ique"),
    language!("es" 56 "windows-1252" true ", " ". ",
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque",
        "río luz piedr inviern jardín mercad cart puent cas agu mañan puebl plat montañ puert estación papel ventan motor maestr bosqu viaj histori máquin númer pregunt lengu tard cocin isl veran rein bibliotec",
        "a o os as ado ada ando ero able ción mente ista"),
    language!("zh" 54 "gbk" false "，" "。",
        "的 了 在 是 和 有 我 不 这 他 也 就 都 而 及 与 着 或 一个 没有 我们 你们 以及",
        "河流 光线 石头 冬天 花园 市场 信件 桥梁 房屋 水面 早晨 村庄 白银 山峰 港口 季节 纸张 窗户 机器 记录 老师 森林 旅行 历史 数字 问题 语言 晚上 厨房 岛屿 假期 车站 图片 天气 夏天 王国 图书 约定 北京 电影",
        " 的 了 们 性 化 者 上 中 里 着 过"),
    language!("pt" 41 "windows-1252" true ", " ". ",
        "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das seu sua ou quando muito nos já também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas esse eles você essa",
        "rio luz pedr invern jardim mercad cart pont cas águ manhã aldei prat montanh port estaç papel janel motor professor florest viag históri máquin númer pergunt língu tard cozinh ilh verã rein",
        "a o os as ado ada ando eiro ável ção mente ista"),
    language!("it" 31 "windows-1252" true ", " ". ",
        "di e il la che in a per un del non è una i con da si le sono come anche della al ha più nel alla dei ma gli lo o delle su se dal questo essere ci suo ed era tra fra molto quando stato dopo dove ancora sempre",
        "fium luc pietr invern giardin mercat letter pont cas acqu mattin villagg argent montagn port stagion cart finestr motor maestr forest viagg stori macchin numer domand lingu ser cucin isol estat regn città perché",
        "a o i e ato ata ando iere abile zione mente ista"),
    language!("pl" 25 "iso-8859-2" true ", " ". ",
        "w i na z się do nie że to o jest a od po za przez jak dla co są ale tym był tego oraz już tylko przy ten ich może jego było ma który być czy tak pod także bardzo przed między gdy więc jednak lub",
        "rzek światł kamie zim ogrod ryn list most dom wod rank wsi srebr gór port por papier okn silnik nauczyciel las podróż histori maszyn liczb pytań język wieczor kuchni wysp lat królestw źródł książk",
        "a y ą ę em ami ach ów ski owa nie ość"),
    language!("nl" 22 "windows-1252" true ", " ". ",
        "de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij of uit nog naar heeft ze door over had worden was hij tot werd kan meer deze wel geen zo onder omdat tussen veel waar na moet toen",
        "rivier licht steen winter tuin markt brief brug huis water ochtend dorp zilver berg haven seizoen papier venster motor leraar bos reis geschiedenis machine getal vraag taal avond keuken eiland zomer koninkrijk bibliotheek",
        " en e je s er ing lijk baar heid loos ster"),
    language!("ko" 8 "euc-kr" true ", " ". ",
        "이 그 및 수 것 등 더 또는 하는 있는 있다 그리고 그러나 위해 대한 에서 으로 한다 했다 같은 모든 매우 다시",
        "강 빛 돌 겨울 정원 시장 편지 다리 집 물 아침 마을 은 산 항구 계절 종이 창문 기계 기록 선생 숲 여행 역사 숫자 질문 언어 저녁 부엌 섬 휴일 역 사진 날씨 여름 왕국 도서관 약속",
        "은 는 이 가 을 를 의 에 에서 으로 와 도"),
];

/// Words of paths and host names: plain ASCII, no digits.
pub(crate) static SLUGS: [&str; 64] = [
    "amber", "anchor", "apple", "arrow", "autumn", "basket", "beacon", "bridge", "candle", "canyon",
    "castle", "cedar", "circle", "cloud", "copper", "corner", "cotton", "crystal", "desert", "dragon",
    "eagle", "echo", "ember", "falcon", "feather", "field", "flame", "forest", "fossil", "garden", "glacier",
    "granite", "harbor", "hazel", "hollow", "island", "ivory", "jasmine", "kettle", "lantern", "lemon",
    "linen", "maple", "marble", "meadow", "mirror", "monsoon", "morning", "needle", "ocean", "olive",
    "orchard", "paper", "pebble", "pepper", "prairie", "quartz", "river", "saffron", "shadow", "silver",
    "thunder", "velvet", "willow",
];

/// Qualities, the first word of host names.
pub(crate) static QUALITIES: [&str; 32] = [
    "quiet", "brave", "bright", "calm", "clever", "cold", "deep", "eager", "early", "fair", "gentle",
    "golden", "grand", "green", "happy", "hidden", "honest", "kind", "late", "little", "lucky", "merry",
    "noble", "old", "plain", "proud", "quick", "rapid", "sharp", "small", "warm", "wild",
];

/// First directory of ordinary pages.
pub(crate) static FOLDERS: [&str; 16] = [
    "news", "blog", "articles", "stories", "guides", "topics", "products", "archive", "reviews", "events",
    "people", "places", "docs", "help", "forum", "wiki",
];
