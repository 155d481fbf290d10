RSpec.describe Library::Desk do
  let(:day) { Date.new(2026, 3, 3) }

  it "lends a book for four weeks" do
    expect(desk.lend(Examples::ART, adult, day).due).to eq(Date.new(2026, 3, 31))
  end

  it "lends a film for a week" do
    expect(desk.lend(Examples::FILM, adult, day).due).to eq(Date.new(2026, 3, 10))
  end

  it "wants nothing back on a day on which it is closed" do
    expect(desk.lend(Examples::ART, adult, Date.new(2026, 4, 3)).due).to eq(Date.new(2026, 5, 2))
  end

  it "refuses on Mondays" do
    expect { desk.lend(Examples::ART, adult, Date.new(2026, 3, 2)) }.to raise_error(Library::Refused, "closed")
  end

  it "refuses what is not there" do
    desk.lend(Examples::GARDENS, adult, day)
    expect { desk.lend(Examples::GARDENS, adult("Fay"), day) }.to raise_error(Library::Refused, "no copy left")
  end

  it "refuses an old card, but not on its last day" do
    expect(desk.lend(Examples::ART, adult, Date.new(2027, 1, 2))).to be_open
    expect { desk.lend(Examples::ART, adult, Date.new(2027, 1, 5)) }.to raise_error(Library::Refused, "card expired")
  end

  it "takes a fee for late books after two days of grace" do
    loan = desk.lend(Examples::ART, adult, day)
    expect(desk.take_back(loan, Date.new(2026, 4, 2))).to eq(0)
  end

  it "counts open days only, from the first" do
    loan = desk.lend(Examples::ART, adult, day)
    expect(desk.take_back(loan, Date.new(2026, 4, 7))).to eq(100)
  end

  it "adds the fee of the latest reminder" do
    loan = desk.lend(Examples::ART, adult, day)
    expect(desk.take_back(loan, Date.new(2026, 4, 11))).to eq(330)
  end

  it "takes no more than the most for days" do
    loan = desk.lend(Examples::FILM, adult, day)
    expect(desk.take_back(loan, Date.new(2026, 4, 28))).to eq(2000)
  end

  it "takes half of children, rounded up" do
    loan = desk.lend(Examples::ART, child, Date.new(2026, 3, 3))
    expect(desk.take_back(loan, Date.new(2026, 4, 11))).to eq(170)
  end

  it "lends nothing to those who owe too much" do
    member = adult
    desk.take_back(desk.lend(Examples::FILM, member, day), Date.new(2026, 3, 28))
    expect { desk.lend(Examples::ART, member, Date.new(2026, 3, 28)) }.to raise_error(Library::Refused, "fees unpaid")
  end

  it "lends five books to a child" do
    member = child
    5.times do |n|
      shelf.add(Library::Book.new(isbn: Examples::RIVERS, title: "R#{n}", author: "X", year: 2000))
      desk.lend(Examples::RIVERS, member, day)
    end
    expect { desk.lend(Examples::ART, member, day) }.to raise_error(Library::Refused, "too many books")
    sixteen = Date.new(2028, 4, 2)
    expect(member.limit(sixteen)).to eq(10)
    expect(member.limit(sixteen - 1)).to eq(5)
  end

  it "renews twice" do
    loan = desk.lend(Examples::ART, adult, day)
    desk.renew(loan, day + 7)
    desk.renew(loan, day + 14)
    expect(loan.due).to eq(Date.new(2026, 4, 14))
    expect { desk.renew(loan, day + 21) }.to raise_error(Library::Refused)
  end

  it "renews on the last day, and not what somebody waits for" do
    loan = desk.lend(Examples::ART, adult, day)
    desk.renew(loan, loan.due)
    desk.reserve(Examples::ART, adult("Fay"))
    expect { desk.renew(loan, day + 40) }.to raise_error(Library::Refused)
  end

  it "keeps a reserved book for the first in line" do
    first = adult("Fay")
    expect(desk.reserve(Examples::GARDENS, first)).to eq(1)
    expect(desk.reserve(Examples::GARDENS, first)).to eq(1)
    expect { desk.lend(Examples::GARDENS, adult, day) }.to raise_error(Library::Refused, "reserved")
    expect(desk.lend(Examples::GARDENS, first, day)).to be_open
  end

  it "reminds of what is late, by member" do
    member = adult
    desk.lend(Examples::RIVERS, member, day)
    desk.lend(Examples::ART, member, day)
    expect(desk.reminders(Date.new(2026, 3, 31))).to eq({})
    expect(desk.reminders(Date.new(2026, 4, 1))).to eq({ member => ["Rivers", "The Art of Tea"] })
  end
end
